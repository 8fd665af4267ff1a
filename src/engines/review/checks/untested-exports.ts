/** Changed exports that no test mentions. For the page of a review alone: as findings, there would be too many. */

import type { SymbolDefinition } from '../../../platform/core/ports/code-facts.ts';
import { languageOf } from '../../facts/index.ts';
import type { Check } from '../check.ts';
import { fileClassOf } from '../code/file-class.ts';
import { addedLines, type Change } from '../code/read-change.ts';
import { isScript } from '../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../code/review-code.ts';
import type { NamedPlace } from '../contract/code-review.ts';

const MAX_EXPORTS = 200;
/** Shorter names are everywhere. */
const MIN_NAME_CHARACTERS = 4;
/** git gets names as arguments, which have a limit. */
const MAX_NAME_CHARACTERS = 200;
/** Read in one search, and searches. */
const MAX_LINES = 500;
const MAX_SEARCHES = 8;
const KINDS: ReadonlySet<string> = new Set<SymbolDefinition['kind']>(['function', 'method', 'class']);
/** Called under another name, or never by name, so tests don't mention them. */
const UNNAMED = /^(constructor|main|init|initialize|__\w+__)$/;
/** Rust has tests in the files of what they test. */
const RUST_TESTS = '#[cfg(test)]';
const RENAMED =
  /(?<![\w$])([\w$]{1,200}) as [\w$]|\bexport default (?:async )?(?:function |class )?([\w$]+)/g;
const WORD = /[\p{L}\p{N}_$]+/gu;

export const untestedExports: Check = {
  name: 'untested_export',
  reviewer: 'tests_missing',
  looksFor: 'changed exports that no test mentions',
  run: async () => [],
  async places(change, code) {
    const changed = await listChangedExports(change, code);
    const tested = await findTested(code, [...new Set(changed.map(({ name }) => name))]);
    const left = changed.filter(({ name }) => !tested.names.has(name));
    // Without any tests in a language, the list would only say that again for each export.
    for (const language of new Set(left.map(({ path }) => familyOf(languageOf(path)))))
      if (!tested.languages.has(language) && (await hasTests(code, language))) tested.languages.add(language);
    return left.filter(({ path }) => tested.languages.has(familyOf(languageOf(path))));
  },
};

async function listChangedExports(change: Change, code: ReviewCode): Promise<NamedPlace[]> {
  const changed: NamedPlace[] = [];
  for (const file of change.files) {
    if (file.fileClass !== 'code' || file.path.endsWith('.d.ts')) continue;
    const lines = addedLines(file).filter(({ text }) => /\w/.test(text));
    const language = familyOf(languageOf(file.path));
    if (lines.length === 0 || language === null) continue;
    const found = await code.symbols('head', file.path);
    if (!found || found.isGenerated) continue;
    const own = await linesOfTests(code, file.path);
    const renamed = await renamedExports(code, file.path, language);
    const interfaces = new Set(
      found.symbols.flatMap(({ kind, name }) => (kind === 'interface' ? [name] : [])),
    );
    const exported = found.symbols.filter(
      (symbol) =>
        isNamed(symbol) &&
        symbol.line < own &&
        !renamed.has(symbol.name) &&
        !interfaces.has(symbol.container ?? ''),
    );
    const touched = innermost(
      exported,
      lines.map(({ number }) => number),
    );
    for (const { line, name } of touched) {
      if (changed.length === MAX_EXPORTS) return changed;
      changed.push({ name, path: file.path, line });
    }
  }
  return changed;
}

function familyOf(language: string | null): string | null {
  return isScript(language) ? 'script' : language;
}

async function hasTests(code: ReviewCode, language: string | null): Promise<boolean> {
  if (language === 'rust') return true;
  const files = await code.listFiles('head');
  return files.some((path) => fileClassOf(path) === 'test' && familyOf(languageOf(path)) === language);
}

function isNamed({ isExported, kind, name }: SymbolDefinition): boolean {
  return (
    isExported &&
    KINDS.has(kind) &&
    !UNNAMED.test(name) &&
    name.length >= MIN_NAME_CHARACTERS &&
    name.length <= MAX_NAME_CHARACTERS
  );
}

/** The definitions that these lines are in, the innermost of each. Lines come in order. */
function innermost(symbols: SymbolDefinition[], lines: number[]): Set<SymbolDefinition> {
  const waiting = symbols.toSorted((one, other) => one.line - other.line || other.endLine - one.endLine);
  const around: SymbolDefinition[] = [];
  const found = new Set<SymbolDefinition>();
  let next = 0;
  for (const line of lines) {
    for (; next < waiting.length && waiting[next]!.line <= line; next += 1) {
      while (around.length > 0 && around.at(-1)!.endLine < waiting[next]!.line) around.pop();
      around.push(waiting[next]!);
    }
    while (around.length > 0 && around.at(-1)!.endLine < line) around.pop();
    if (around.length > 0) found.add(around.at(-1)!);
  }
  return found;
}

/** Names of a script that tests can import under another name. */
async function renamedExports(code: ReviewCode, path: string, language: string): Promise<Set<string>> {
  const text = language === 'script' ? ((await code.read('head', path)) ?? '') : '';
  return new Set([...text.matchAll(RENAMED)].map(([, renamed, name]) => renamed ?? name!));
}

interface Tested {
  names: Set<string>;
  languages: Set<string | null>;
}

/** Names that a test mentions. Common ones are found in the first lines, so few lines are read of each. */
async function findTested(code: ReviewCode, names: string[]): Promise<Tested> {
  const tested: Tested = { names: new Set(), languages: new Set() };
  let left = names;
  for (let search = 1; left.length > 0; search += 1) {
    const options = { wholeWords: true, inTests: true, maxLines: MAX_LINES };
    const { lines, truncated } = await code.find('head', left, options);
    for (const [path, found] of Map.groupBy(lines, (line) => line.path)) {
      const inTests = await onlyTests(code, path, found);
      if (inTests.length > 0) tested.languages.add(familyOf(languageOf(path)));
      for (const { text } of inTests) for (const [word] of text.matchAll(WORD)) tested.names.add(word);
    }
    if (!truncated) return tested;
    const next = left.filter((name) => !tested.names.has(name));
    // Treats very common names as tested.
    if (search === MAX_SEARCHES || next.length === left.length)
      for (const name of next) tested.names.add(name);
    left = next.filter((name) => !tested.names.has(name));
  }
  return tested;
}

async function onlyTests(code: ReviewCode, path: string, lines: FoundLine[]): Promise<FoundLine[]> {
  if (fileClassOf(path) === 'test') return lines;
  const from = await linesOfTests(code, path);
  return lines.filter(({ line }) => line > from);
}

/** The line from which on a file has its own tests. */
async function linesOfTests(code: ReviewCode, path: string): Promise<number> {
  if (!path.endsWith('.rs')) return Number.POSITIVE_INFINITY;
  const lines = (await code.read('head', path))?.split('\n') ?? [];
  const at = lines.findIndex(
    (text, index) =>
      text.trimStart().startsWith(RUST_TESTS) && /\bmod\b/.test(`${text} ${lines[index + 1] ?? ''}`),
  );
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}
