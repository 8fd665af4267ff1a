/** Extracts everything that is known about one file from its path and text. */
import type { Tree } from '@vscode/tree-sitter-wasm';
import type { Fact, FileFacts, FileWord } from '../../platform/core/ports/code-facts.ts';
import { rankPath } from '../search/index.ts';
import type { Extractor, FileSource } from './extractor.ts';
import { EXTRACTORS } from './extractors/index.ts';
import { type Grammar, grammarOf, languageOf } from './language.ts';
import { isComponent, readComponent, usesInTemplate } from './languages/component-files.ts';
import { RULES } from './languages/index.ts';
import { scanGo } from './languages/scan-go.ts';
import { MAX_AVERAGE_LINE, MAX_FACTS, MAX_FILE_BYTES, MAX_NESTING } from './limits.ts';
import { type LoadedGrammar, loadGrammar } from './parse.ts';
import { readSymbols } from './read-symbols.ts';
import { readUses, UsedNames } from './read-uses.ts';
import { readWords } from './read-words.ts';

/** With what only the search for repositories reads. */
export interface ExtractedFile extends FileFacts {
  words: FileWord[];
}

/**
 * Never rejects because of what a file contains, unless the parser itself fails: it can't be used anymore then.
 * Without extractors, a Go file takes half the time: its symbols don't need a tree of the whole file.
 */
export async function extractFacts(
  { path, text }: { path: string; text: string },
  extractors: readonly Extractor[] = EXTRACTORS,
): Promise<ExtractedFile> {
  const language = languageOf(path);
  const result = emptyFacts(language);
  result.lines = countLines(text);
  result.isGenerated = isGenerated(path, text, result.lines);
  if (text.length > MAX_FILE_BYTES) return { ...result, incomplete: 'too_large' };
  if (!result.isGenerated) result.words = readWords(path, text);
  const component = isComponent(path) ? readComponent(text) : null;
  const grammar = component ? 'typescript' : grammarOf(path, language);
  const code = component?.script ?? text;
  const isParsed = grammar !== null && !isMinified(text, result.lines);
  if (isParsed && isTooDeep(code)) return { ...result, incomplete: 'too_deep' };
  const loaded = isParsed ? await loadGrammar(grammar) : null;
  const lazy = new LazyTree(loaded, code);
  try {
    if (loaded)
      addSymbols(result, { grammar: grammar!, loaded, lazy, text: code, template: component?.template });
    const codeLanguage = component ? 'typescript' : language;
    if (!result.isGenerated) addFacts(result, { path, language: codeLanguage, text: code, lazy }, extractors);
  } finally {
    lazy.delete();
  }
  return result;
}

export function emptyFacts(language: string | null): ExtractedFile {
  return {
    language,
    lines: 0,
    isGenerated: false,
    facts: [],
    symbols: [],
    imports: [],
    uses: [],
    words: [],
    incomplete: null,
  };
}

/** Parses the whole text when the tree is first needed. */
class LazyTree {
  readonly #loaded: LoadedGrammar | null;
  readonly #text: string;
  #tree: Tree | null | undefined;

  constructor(loaded: LoadedGrammar | null, text: string) {
    this.#loaded = loaded;
    this.#text = text;
  }

  get tree(): Tree | null {
    if (this.#tree === undefined) this.#tree = this.#loaded?.parse(this.#text) ?? null;
    return this.#tree;
  }

  /** Whether parsing was tried and took too long. */
  get isTooSlow(): boolean {
    return this.#loaded !== null && this.#tree === null;
  }

  delete(): void {
    this.#tree?.delete();
  }
}

interface ParsedFile {
  grammar: Grammar;
  loaded: LoadedGrammar;
  lazy: LazyTree;
  text: string;
  /** The rest of a component, whose expressions use names of its script. */
  template?: string | undefined;
}

function addSymbols(result: FileFacts, file: ParsedFile): void {
  const { grammar, loaded, lazy, template, text } = file;
  const rules = RULES[grammar];
  let used = new UsedNames();
  let tree: Tree | null;
  let outline: Tree | null = null;
  if (grammar === 'go') {
    tree = outline = loaded.parse(scanGo(text, (name, line) => used.add(name, line)));
  } else {
    tree = lazy.tree;
    if (tree) used = readUses(tree, { language: loaded.language, rules, text });
  }
  if (tree) {
    const { imports, incomplete, symbols } = readSymbols(tree, rules);
    result.symbols = symbols;
    result.imports = imports;
    result.incomplete = incomplete;
    if (template) usesInTemplate(template, { imports, symbols }, (name, line) => used.add(name, line));
  } else result.incomplete = 'too_slow';
  outline?.delete();
  if (used.isIncomplete) result.incomplete ??= 'too_many';
  result.uses = used.without(result.symbols);
}

function addFacts(
  result: FileFacts,
  { language, lazy, path, text }: { path: string; language: string | null; text: string; lazy: LazyTree },
  extractors: readonly Extractor[],
): void {
  const { imports, symbols } = result;
  const file: FileSource = {
    path,
    language,
    text,
    get tree() {
      return lazy.tree;
    },
    imports,
    symbols,
  };
  const facts: Fact[] = [];
  for (const extractor of extractors) {
    if (!extractor.accepts(path, language)) continue;
    try {
      facts.push(...extractor.extract(file));
    } catch (error) {
      // WebAssembly failed.
      if (error instanceof Error && error.name === 'RuntimeError') throw error;
      result.incomplete ??= error instanceof RangeError ? 'too_deep' : 'invalid';
    }
  }
  if (lazy.isTooSlow) result.incomplete ??= 'too_slow';
  if (facts.length > MAX_FACTS) result.incomplete ??= 'too_many';
  result.facts = facts.slice(0, MAX_FACTS).sort((one, other) => one.line - other.line);
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

/** How the tools that generate code mark it, within the first lines. */
const GENERATED_MARK =
  /Code generated by|@generated\b|DO NOT EDIT|GENERATED CODE|auto-?generated (?:by|from)/i;
const MARK_CHARACTERS = 2000;

function isGenerated(path: string, text: string, lines: number): boolean {
  if (rankPath(path) === 'generated') return true;
  const grammar = grammarOf(path, languageOf(path));
  return grammar !== null && (GENERATED_MARK.test(text.slice(0, MARK_CHARACTERS)) || isMinified(text, lines));
}

function isMinified(text: string, lines: number): boolean {
  return text.length > MAX_AVERAGE_LINE * Math.max(lines, 20);
}

/** Trees can be as deep as the brackets are nested. Strings and comments rarely contain that many open ones. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth -= 1;
  }
  return false;
}
