/** Functions and classes of Python that lost a parameter which calls still pass by its name. Only where an import, or the file itself, shows what is called. */
import type { FileSymbols, SymbolDefinition } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import { splitArguments } from '../../code/count-arguments.ts';
import { type Change, EVERYTHING, isAdded, type ReviewedFile } from '../../code/read-change.ts';
import { meansPythonFile } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { anchorOf } from './changed-signatures.ts';

const MAX_FUNCTIONS = 100;
const MAX_FILES_READ = 300;
const MAX_SHOWN_CALLS = 5;
const MAX_CALL_LINES = 80;
/** Parents and metaclasses decide what a class is called with, unless it has this alone. */
const CONSTRUCTOR = '__init__';

interface LostParameters {
  file: ReviewedFile;
  /** The function, or the class that is called. */
  name: string;
  /** At the head. */
  line: number;
  lost: string[];
}

interface Call extends FoundLine {
  parameter: string;
}

export const renamedParameters: Check = {
  name: 'renamed_parameter',
  reviewer: 'breaking_changes',
  looksFor: 'parameters in Python that were renamed or removed, and calls that still pass them by name',
  isOffByDefault: true,
  async run(change, code) {
    const functions = await listLost(change, code);
    if (functions.length === 0) return [];
    const names = [...new Set(functions.map(({ name }) => name))];
    const { lines } = await code.find('head', names, { wholeWords: true, leavesOutCommon: true });
    const files = (await code.listFiles('head')).filter((path) => path.endsWith('.py'));
    const calls = new Map<LostParameters, Call[]>();
    let read = 0;
    for (const path of new Set(lines.map((line) => line.path))) {
      if (!path.endsWith('.py')) continue;
      read += 1;
      if (read > MAX_FILES_READ) break;
      const facts = await code.symbols('head', path);
      if (!facts || facts.isGenerated || facts.incomplete !== null) continue;
      const text = ((await code.read('head', path)) ?? '').split('\n');
      for (const each of functions) {
        const called = await calledAs(each, path, facts, files, code);
        const found = called.flatMap((one) => callsIn(path, text, one, each, facts));
        const old = found.filter((call) => !isAdded(change.files, call));
        if (old.length > 0) calls.set(each, [...(calls.get(each) ?? []), ...old]);
      }
    }
    const results: Found[] = [];
    for (const [each, found] of calls) results.push(await describe(change, code, each, found));
    return results;
  },
};

async function listLost(change: Change, code: ReviewCode): Promise<LostParameters[]> {
  const found: LostParameters[] = [];
  const { concerns = EVERYTHING } = change;
  for (const file of change.files) {
    const isEdited = file.change === 'modified' || file.change === 'renamed';
    if (!isEdited || file.fileClass !== 'code' || !file.path.endsWith('.py')) continue;
    if (file.hunks.every(({ oldLines }) => oldLines === 0) || !(await concerns.file(file))) continue;
    const oldPath = file.oldPath ?? file.path;
    const [before, after] = [await code.symbols('base', oldPath), await code.symbols('head', file.path)];
    if (!before || !after || after.isGenerated || after.incomplete !== null) continue;
    const old = ((await code.read('base', oldPath)) ?? '').split('\n');
    const now = ((await code.read('head', file.path)) ?? '').split('\n');
    for (const symbol of after.symbols) {
      const name = calledName(after, symbol);
      const same = before.symbols.filter(
        ({ container, name: its }) => its === symbol.name && container === symbol.container,
      );
      if (name === undefined || same.length !== 1 || !concerns.name(file, name)) continue;
      const taken = parametersAt(now, symbol);
      const lost = (parametersAt(old, same[0]!) ?? []).filter(
        (each) => !taken?.includes(each) && !each.startsWith('*'),
      );
      if (!taken || lost.length === 0 || taken.some((each) => each.startsWith('**'))) continue;
      // A decorator, or the parent of a class without a constructor of its own, can take other arguments.
      if (isDecorated(now, symbol) || isDecorated(now, after.symbols.find((each) => each.name === name)!))
        continue;
      found.push({ file, name, line: symbol.line, lost });
      if (found.length >= MAX_FUNCTIONS) return found;
    }
  }
  return found;
}

/** A function at the top of the file, or the class whose constructor it is; undefined if the file has several of that name. */
function calledName(
  { symbols }: FileSymbols,
  { container, kind, name }: SymbolDefinition,
): string | undefined {
  const isOnly = (wanted: string) => symbols.filter((each) => each.name === wanted).length === 1;
  if (kind === 'function' && container === undefined) return isOnly(name) ? name : undefined;
  if (name !== CONSTRUCTOR || container === undefined || !isOnly(container)) return undefined;
  const own = symbols.filter((each) => each.container === container).map((each) => each.name);
  const isPlain = !own.includes('__new__') && own.filter((each) => each === CONSTRUCTOR).length === 1;
  return isPlain ? container : undefined;
}

const isDecorated = (lines: string[], { line }: SymbolDefinition) => /^\s*[@)]/.test(lines[line - 2] ?? '');

/** Names that a call can pass, with their stars; undefined when they can't be read. */
function parametersAt(lines: string[], { line, name }: SymbolDefinition): string[] | undefined {
  const rest = lines.slice(line - 1, line + MAX_CALL_LINES).join('\n');
  const start = new RegExp(`\\bdef\\s+${name}\\s*\\(`).exec(rest);
  const parts = start ? splitArguments(rest.slice(start.index + start[0].length), 'python') : undefined;
  if (!parts || parts.some((part) => /\blambda\b/.test(part))) return undefined;
  const names = parts.map((part) => /^\s*(\*{0,2}\w+|[*/]?)/.exec(part)![1]!).filter((each) => each !== '');
  return names.slice(names.indexOf('/') + 1);
}

/** How a file can call it; not at all when the name may mean something else there. */
async function calledAs(
  { file: { path }, name }: LostParameters,
  from: string,
  { imports, symbols }: FileSymbols,
  files: readonly string[],
  code: ReviewCode,
): Promise<string[]> {
  if (from === path) return [name];
  if (symbols.some((symbol) => symbol.name === name)) return [];
  const called: string[] = [];
  const meant = (module: string) => files.filter((file) => meansPythonFile(from, module, file));
  const isFile = (module: string) => {
    const found = meant(module);
    return found.length === 1 && found[0] === path;
  };
  for (const { module, names } of imports) {
    for (const { as, name: imported } of names) {
      if (imported === name) {
        const [folder, ...others] = meant(module);
        const isPackage = folder?.endsWith('/__init__.py') && others.length === 0;
        if (isFile(module) || (isPackage && (await passesOn(code, folder!, path, name))))
          called.push(as ?? name);
        else if ((as ?? name) === name) return [];
        continue;
      }
      // `import app.views as views` and `from app import views`.
      if (imported === '*') {
        if (as !== undefined && isFile(module))
          called.push(`${as === module.split('.')[0] ? module : as}.${name}`);
      } else if (isFile(module.endsWith('.') ? `${module}${imported}` : `${module}.${imported}`))
        called.push(`${as ?? imported}.${name}`);
    }
  }
  return called;
}

/** Whether a package imports it from its file under the same name. */
async function passesOn(code: ReviewCode, folder: string, path: string, name: string): Promise<boolean> {
  const facts = await code.symbols('head', folder);
  if (!facts || facts.symbols.some((symbol) => symbol.name === name)) return false;
  return facts.imports.some(
    ({ module, names }) =>
      names.some((each) => each.name === name && (each.as ?? name) === name) &&
      meansPythonFile(folder, module, path),
  );
}

function callsIn(
  path: string,
  lines: string[],
  called: string,
  { lost, name }: LostParameters,
  facts: FileSymbols,
): Call[] {
  const escaped = called.replaceAll('.', '\\.');
  const first = called.split('.')[0]!;
  const hides = new RegExp(
    `^\\s+(?:from\\s.*\\simport\\s.*\\b${first}\\b|import\\s.*\\b${first}\\b)|^\\s*${first}\\s*=[^=]|\\bas ${first}:`,
  );
  const hasParameter = new RegExp(`\\bdef \\w+\\([^)]*\\b${first}\\b`);
  // The name can be that of a variable, a parameter, or of what a function imports.
  if (lines.some((line) => hides.test(line) || hasParameter.test(line))) return [];
  const pattern = new RegExp(`(?<![.\\w])${escaped}\\(`, 'g');
  const used = facts.uses.find((each) => each.name === (called.split('.').at(-1) ?? name))?.lines ?? [];
  return used.flatMap((line): Call[] => {
    const text = lines[line - 1] ?? '';
    return [...text.matchAll(pattern)].flatMap(({ 0: match, index }): Call[] => {
      if (/\b(?:def|class)\s+$/.test(text.slice(0, index))) return [];
      const rest = [text.slice(index + match.length), ...lines.slice(line, line + MAX_CALL_LINES)];
      const passed = splitArguments(rest.join('\n'), 'python') ?? [];
      const names = passed.flatMap((part) => /^\s*(\w+)\s*=(?!=)/.exec(part)?.[1] ?? []);
      const parameter = lost.find((each) => names.includes(each));
      if (parameter === undefined) return [];
      const keyword = new RegExp(`\\b${parameter}\\s*=(?!=)`);
      const offset = rest.findIndex((each) => keyword.test(each));
      const at = line + Math.max(0, offset);
      return [{ path, line: at, text: lines[at - 1] ?? text, parameter }];
    });
  });
}

async function describe(
  change: Change,
  code: ReviewCode,
  { file, line, name }: LostParameters,
  calls: Call[],
): Promise<Found> {
  const [first] = calls;
  const more = calls.length > 1 ? `, and ${calls.length - 1} more` : '';
  return {
    claim: 'signature',
    subject: name,
    title: `${name} is still called with its old parameter ${first!.parameter}`,
    scenario: `${first!.path}:${first!.line}${more} passes \`${first!.parameter}\` to \`${name}\`, which no longer takes it, nor \`**\`: the call fails with a TypeError.`,
    ...(await anchorOf(code, file, line)),
    evidence: calls
      .slice(0, MAX_SHOWN_CALLS)
      .map((call) => ({ side: 'head', path: call.path, line: call.line, quote: call.text.trim() })),
    command: `git grep -nw -e ${shellWord(first!.parameter)} ${change.head.slice(0, 12)} -- ${shellWord(first!.path)}`,
  };
}
