/**
 * Exported functions whose parameters changed while existing calls still fit only the old ones. Only where an import, the package or
 * the file itself shows that the call means this function.
 */
import type { FileSymbols, SymbolDefinition } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import { countArguments } from '../../code/count-arguments.ts';
import { type Change, EVERYTHING, isWrittenFor, type ReviewedFile } from '../../code/read-change.ts';
import {
  folderOf,
  meansAlias,
  meansGoFolder,
  meansPythonFile,
  resolveScript,
} from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

/** In JavaScript, a missing argument alone isn't an error. */
const LANGUAGES = new Set(['typescript', 'tsx', 'python', 'go']);
const MAX_FUNCTIONS = 100;
const MAX_FILES_READ = 300;
const MAX_SHOWN_CALLS = 5;
const MAX_CALL_LINES = 40;

type Parameters = NonNullable<SymbolDefinition['parameters']>;

interface ChangedFunction {
  file: ReviewedFile;
  language: string;
  name: string;
  /** At the head. */
  line: number;
  before: Parameters;
  after: Parameters;
}

interface Call extends FoundLine {
  given: number;
}

export const changedSignatures: Check = {
  name: 'changed_signature',
  reviewer: 'breaking_changes',
  looksFor: 'functions whose parameters changed, and calls that still pass the old ones',
  async run(change, code) {
    const changed = await listChangedFunctions(change, code);
    if (changed.length === 0) return [];
    const names = [...new Set(changed.map(({ name }) => name))];
    const options = { wholeWords: true, leavesOutCommon: true };
    const { lines, tooCommon, truncated } = await code.find('head', names, options);
    const functions = changed.filter(({ name }) => !tooCommon.includes(name));
    const byPath = Map.groupBy(lines, ({ path }) => path);
    if (truncated || byPath.size > MAX_FILES_READ) return [];
    const calls = new Map<ChangedFunction, Call[]>(functions.map((each) => [each, []]));
    for (const path of byPath.keys()) {
      const facts = await code.symbols('head', path);
      if (!facts || facts.isGenerated || facts.incomplete !== null) continue;
      for (const each of functions) {
        const called = calledAs(each, path, facts);
        if (called === undefined) continue;
        const text = (await code.read('head', path)) ?? '';
        calls.get(each)!.push(...callsIn(path, text.split('\n'), called, each, facts));
      }
    }
    const results: Found[] = [];
    for (const [each, all] of calls) {
      const old = all.filter((call) => !fits(call.given, each.after));
      // A call that came with the change was written with the new parameters in mind.
      const isOld = (call: Call) => fits(call.given, each.before) && !isWrittenFor(change, each.file, call);
      // A call that never fit means that something was misread.
      if (old.length > 0 && old.every(isOld)) results.push(await describe(change, code, each, old));
    }
    return results;
  },
};

export async function listChangedFunctions(change: Change, code: ReviewCode): Promise<ChangedFunction[]> {
  const functions: ChangedFunction[] = [];
  const { concerns = EVERYTHING } = change;
  for (const file of change.files) {
    const isEdited = file.change === 'modified' || file.change === 'renamed';
    if (!isEdited || file.fileClass !== 'code' || file.hunks.length === 0) continue;
    if (!(await concerns.file(file))) continue;
    const before = await code.symbols('base', file.oldPath ?? file.path);
    if (!before?.symbols.some(({ name, parameters }) => parameters && concerns.name(file, name))) continue;
    const after = await code.symbols('head', file.path);
    if (!after || after.isGenerated || after.incomplete !== null) continue;
    if (!LANGUAGES.has(after.language ?? '')) continue;
    const lines = ((await code.read('head', file.path)) ?? '').split('\n');
    for (const symbol of after.symbols) {
      const old = onlyOne(before, symbol.name);
      if (
        !concerns.name(file, symbol.name) ||
        !old?.parameters ||
        !symbol.parameters ||
        onlyOne(after, symbol.name) !== symbol
      )
        continue;
      const isFunction = symbol.kind === 'function' && symbol.isExported && symbol.container === undefined;
      // A decorator can change the arguments that a call needs.
      if (!isFunction || /^\s*@/.test(lines[symbol.line - 2] ?? '')) continue;
      if (old.parameters.required === symbol.parameters.required && sameTotal(old, symbol)) continue;
      functions.push({
        ...{ file, language: after.language!, name: symbol.name, line: symbol.line },
        ...{ before: old.parameters, after: symbol.parameters },
      });
      if (functions.length === MAX_FUNCTIONS) return functions;
    }
  }
  return functions;
}

function sameTotal(one: SymbolDefinition, other: SymbolDefinition): boolean {
  return one.parameters!.total === other.parameters!.total;
}

/** Undefined for overloads and for names that the file uses twice. */
function onlyOne({ symbols }: FileSymbols, name: string): SymbolDefinition | undefined {
  const named = symbols.filter((symbol) => symbol.name === name);
  return named.length === 1 ? named[0] : undefined;
}

export function fits(given: number, { required, total }: Parameters): boolean {
  return given >= required && (total === null || given <= total);
}

/** How a file refers to the function; undefined when the name may mean something else there. */
function calledAs(changed: ChangedFunction, path: string, facts: FileSymbols): string | undefined {
  const { file, language, name } = changed;
  if (path === file.path) return name;
  if (facts.symbols.some((symbol) => symbol.name === name)) return undefined;
  if (language === 'go') return facts.language === 'go' ? calledInGo(changed, path, facts) : undefined;
  const isPython = language === 'python';
  if (isPython !== (facts.language === 'python')) return undefined;
  // JavaScript files can leave arguments out.
  if (!isPython && !LANGUAGES.has(facts.language ?? '')) return undefined;
  for (const { module, names } of facts.imports) {
    const imported = names.find((each) => each.name === name);
    if (!imported) continue;
    const meant = isPython
      ? meansPythonFile(path, module, file.path)
      : resolveScript(path, module).includes(file.path) || isWholeAlias(module, file.path);
    return meant ? (imported.as ?? name) : undefined;
  }
  return isPython ? undefined : calledInNamespace(changed, path, facts);
}

/** `import * as money from './money.ts'`. */
function calledInNamespace(
  { file, name }: ChangedFunction,
  path: string,
  { imports }: FileSymbols,
): string | undefined {
  for (const { module, names } of imports) {
    const as = names.find((each) => each.name === '*')?.as;
    if (as !== undefined && resolveScript(path, module).includes(file.path)) return `${as}.${name}`;
  }
  return undefined;
}

/** `~/utils/dates` for `app/utils/dates.ts`, not for what a folder's index re-exports. */
function isWholeAlias(module: string, path: string): boolean {
  const bare = path.replace(/(\/index)?\.[a-z]+$/, '');
  return (
    /^[~@#]/.test(module) && bare.endsWith(module.slice(module.indexOf('/'))) && meansAlias(module, path)
  );
}

function calledInGo({ file, name }: ChangedFunction, path: string, facts: FileSymbols): string | undefined {
  const folder = folderOf(file.path);
  if (folderOf(path) === folder) return name;
  const imported = facts.imports.find(({ module }) => meansGoFolder(module, folder));
  const alias = imported?.names[0]?.as ?? imported?.module.split('/').at(-1);
  return alias && /^\w+$/.test(alias) && alias !== '_' && alias !== '.' ? `${alias}.${name}` : undefined;
}

function callsIn(
  path: string,
  lines: string[],
  called: string,
  { file, language, line: definedAt }: ChangedFunction,
  facts: FileSymbols,
): Call[] {
  const used = facts.uses.find(({ name }) => name === called.split('.').at(-1))?.lines ?? [];
  const escaped = called.replaceAll(/[.$]/g, '\\$&');
  // In Python, a function can import another one with its name.
  const named = new RegExp(`\\b${escaped}\\b`);
  const importsIt = (line: string) => /^\s+from\s/.test(line) && /\simport\s/.test(line) && named.test(line);
  if (language === 'python' && lines.some(importsIt)) return [];
  const pattern = new RegExp(`(?<![.\\w$])${escaped}\\(`, 'g');
  return used.flatMap((line): Call[] => {
    const text = lines[line - 1] ?? '';
    if (path === file.path && line === definedAt) return [];
    return [...text.matchAll(pattern)].flatMap(({ 0: match, index }) => {
      if (/\b(def|func|function|new)\s+$/.test(text.slice(0, index))) return [];
      const rest = [text.slice(index + match.length), ...lines.slice(line, line + MAX_CALL_LINES)];
      const given = countArguments(rest.join('\n'), language);
      return given === undefined ? [] : [{ path, line, text, given }];
    });
  });
}

async function describe(
  change: Change,
  code: ReviewCode,
  { after, before, file, line, name }: ChangedFunction,
  calls: Call[],
): Promise<Found> {
  const [first] = calls;
  const more = calls.length > 1 ? `, and ${calls.length - 1} more` : '';
  const takes = ({ required, total }: Parameters) =>
    total === required ? `${required}` : `${required} to ${total ?? 'any number of'}`;
  return {
    claim: 'signature',
    subject: name,
    title: `${name} is still called with its old parameters`,
    scenario: `${first!.path}:${first!.line}${more} passes ${first!.given} argument${first!.given === 1 ? '' : 's'} to \`${name}\`, which took ${takes(before)} and now takes ${takes(after)}: it doesn’t compile, or fails when that line runs.`,
    ...(await anchorOf(code, file, line)),
    evidence: calls
      .slice(0, MAX_SHOWN_CALLS)
      .map((call) => ({ side: 'head', path: call.path, line: call.line, quote: call.text.trim() })),
    command: `git grep -nw -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
  };
}

/** The definition, or the changed lines of its parameters if only those changed. */
export async function anchorOf(
  code: ReviewCode,
  { hunks, oldPath, path }: ReviewedFile,
  line: number,
): Promise<Pick<Found, 'file' | 'side' | 'line' | 'quote' | 'cause'>> {
  const near = hunks.find(({ newLines, newStart }) => newStart + Math.max(1, newLines) > line);
  if (near?.newLines === 0)
    return {
      file: oldPath ?? path,
      side: 'base',
      line: near.oldStart,
      quote: near.removed.find(isText) ?? '',
    };
  const quote = (await code.read('head', path))?.split('\n')[line - 1] ?? '';
  return {
    ...{ file: path, side: 'head', line, quote },
    ...(near && { cause: { path, line: Math.max(line, near.newStart) } }),
  };
}

function isText(line: string): boolean {
  return line.trim() !== '';
}
