/** Extracts everything that is known about one file from its path and text. */
import type { Tree } from '@vscode/tree-sitter-wasm';
import type { Fact, FileFacts } from '../../platform/core/code-facts.ts';
import { rankPath } from '../search/index.ts';
import type { Extractor, FileSource } from './extractor.ts';
import { EXTRACTORS } from './extractors/index.ts';
import { grammarOf, languageOf } from './language.ts';
import { MAX_FACTS, MAX_FILE_BYTES } from './limits.ts';
import { loadGrammar } from './parse.ts';

/** Never rejects because of what a file contains. `extractors` is for tests of single ones. */
export async function extractFacts(
  { path, text }: { path: string; text: string },
  extractors: readonly Extractor[] = EXTRACTORS,
): Promise<FileFacts> {
  const language = languageOf(path);
  const result: FileFacts = {
    language,
    lines: countLines(text),
    isGenerated: rankPath(path) === 'generated',
    facts: [],
    symbols: [],
    imports: [],
    uses: [],
    incomplete: null,
  };
  if (text.length > MAX_FILE_BYTES) return { ...result, incomplete: 'too_large' };
  const grammar = grammarOf(path, language);
  const tree = grammar ? (await loadGrammar(grammar)).parse(text) : null;
  if (grammar && !tree) result.incomplete = 'too_slow';
  try {
    addFacts(result, { path, text, tree }, extractors);
  } finally {
    tree?.delete();
  }
  return result;
}

function addFacts(
  result: FileFacts,
  { path, text, tree }: { path: string; text: string; tree: Tree | null },
  extractors: readonly Extractor[],
): void {
  const { imports, language, symbols } = result;
  const file: FileSource = { path, language, text, tree, imports, symbols };
  const facts: Fact[] = [];
  for (const extractor of extractors) {
    if (extractor.accepts(path, language)) facts.push(...extractor.extract(file));
  }
  if (facts.length > MAX_FACTS) result.incomplete ??= 'too_many';
  result.facts = facts.slice(0, MAX_FACTS).sort((one, other) => one.line - other.line);
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}
