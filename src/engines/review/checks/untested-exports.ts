/** Changed exports that no test mentions. For the page of a review alone: as findings, there would be too many. */
import type { SymbolDefinition } from '../../../platform/core/code-facts.ts';
import type { NamedPlace } from '../../../platform/core/code-review.ts';
import { languageOf } from '../../facts/index.ts';
import type { Check } from '../check.ts';
import { fileClassOf } from '../file-class.ts';
import { addedLines, type Change } from '../read-change.ts';
import { isScript } from '../resolve-module.ts';
import type { FoundLine, ReviewCode } from '../review-code.ts';

const MAX_EXPORTS = 200;
const MIN_NAME_CHARACTERS = 3;
/** git gets names as arguments, which have a limit. */
const MAX_NAME_CHARACTERS = 200;
/** Names that are too common for one search are divided this often; what is still too common has tests. */
const MAX_DIVISIONS = 4;
const KINDS: ReadonlySet<string> = new Set<SymbolDefinition['kind']>(['function', 'method', 'class']);
/** What others call by another name, or not at all. */
const UNNAMED = /^(constructor|main|init|initialize|__\w+__)$/;
/** Rust has tests in the files of what they test. */
const RUST_TESTS = '#[cfg(test)]';
const EXPORTED_OTHERWISE = /\b([\w$]+) as [\w$]+|\bexport default (?:async )?(?:function |class )?([\w$]+)/g;
const WORD = /[\p{L}\p{N}_$]+/gu;

export const untestedExports: Check = {
  name: 'untested_export',
  reviewer: 'tests_missing',
  looksFor: 'changed exports that no test mentions',
  run: async () => [],
  async places(change, code) {
    const changed = await listChangedExports(change, code);
    const named = await namesInTests(code, [...new Set(changed.map(({ name }) => name))]);
    return changed.filter(({ name }) => !named.has(name));
  },
};

async function listChangedExports(change: Change, code: ReviewCode): Promise<NamedPlace[]> {
  const changed: NamedPlace[] = [];
  const hasTests = new Map<string, boolean>();
  for (const file of change.files) {
    if (file.fileClass !== 'code' || file.path.endsWith('.d.ts')) continue;
    const lines = addedLines(file).filter(({ text }) => /\w/.test(text));
    const language = familyOf(languageOf(file.path));
    if (lines.length === 0 || language === null) continue;
    // Without any tests, the list would only say that again for each export.
    if (!hasTests.has(language)) hasTests.set(language, await isTested(code, language));
    if (!hasTests.get(language)) continue;
    const found = await code.symbols('head', file.path);
    if (!found || found.isGenerated) continue;
    const own = await linesOfTests(code, file.path);
    const renamed = await exportedOtherwise(code, file.path, language);
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

async function isTested(code: ReviewCode, language: string): Promise<boolean> {
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
async function exportedOtherwise(code: ReviewCode, path: string, language: string): Promise<Set<string>> {
  const text = language === 'script' ? ((await code.read('head', path)) ?? '') : '';
  return new Set([...text.matchAll(EXPORTED_OTHERWISE)].map(([, renamed, name]) => renamed ?? name!));
}

/** Those of the names that are in a test. */
async function namesInTests(code: ReviewCode, names: string[], divisions = 0): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { lines, truncated } = await code.find('head', names, { wholeWords: true, inTests: true });
  if (truncated && names.length > 1 && divisions < MAX_DIVISIONS) {
    const middle = Math.ceil(names.length / 2);
    const [one, other] = [names.slice(0, middle), names.slice(middle)];
    const found = await namesInTests(code, one, divisions + 1);
    return found.union(await namesInTests(code, other, divisions + 1));
  }
  if (truncated) return new Set(names);
  const tests = await Promise.all(
    [...Map.groupBy(lines, ({ path }) => path)].map(([path, found]) => onlyTests(code, path, found)),
  );
  return new Set(tests.flat().flatMap(({ text }) => text.match(WORD) ?? []));
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
