/** Removed or renamed exports that something still uses. */

import type { FileSymbols, SymbolDefinition } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import { type Change, EVERYTHING } from '../../code/read-change.ts';
import { isScript } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import type { Evidence } from '../../contract/code-review.ts';
import { isOptionalImport } from './optional-imports.ts';
import { crateOf, type Removed, readReplacements, refersToRemoved, saysWhich } from './refers-to-removed.ts';
import { findRemovedOwnMethods } from './removed-own-methods.ts';

/** Names looked for in one review, and files read to see what a line means. */
const MAX_NAMES = 500;
const MAX_FILES_READ = 400;
const MAX_SHOWN_USES = 5;
const MIN_NAME_CHARACTERS = 3;
/** git gets names as arguments, which have a limit. */
const MAX_NAME_CHARACTERS = 200;
/** Lines that may give a name to something that is defined elsewhere. */
const PASSING_ON = /\bexports?\b|\bas\b|__all__|__getattr__/;
/**
 * How a file of CommonJS exports what it doesn't name: `module.exports = require('./a')`, `Object.assign(exports, a)` and
 * `exports[name] = a`.
 */
const PASSING_ALL_ON =
  /(?<![\w$.])(?:module\.)?exports\s*(?:=(?![=>]|\s*(?:\{|function\b|class\b|(?:module\.)?exports\b))|[),](?!\s*["'])|\[(?!\s*["']))/;
const SCRIPT_COMMENT = /\/[/*]/g;
const PYTHON_COMMENT = /#|"""|'''/g;
const WORD = /[\p{L}\p{N}_$]+/gu;
/** A file that somebody put aside. */
const COPY = /(\.(bak|back|old|orig)|[ _-]copy)\.\w+$/;
/** At the beginning of a file. */
const NAMESPACE = /^(?:package|namespace) ([\w.\\]+);?\s*$/m;
/** Lombok writes accessors for the fields of a class. */
const GENERATES_ACCESSORS = /^\s*@(Getter|Setter|Data|Value)\b/m;
const KINDS = new Set<SymbolDefinition['kind']>([
  ...(['function', 'class', 'interface', 'type', 'enum', 'constant', 'variable', 'method'] as const),
]);

export const removedButUsed: Check = {
  name: 'removed_but_used',
  reviewer: 'breaking_changes',
  looksFor: 'removed or renamed definitions that are still used',
  async run(change, code) {
    const found = await findRemoved(change, code, ({ uses }) => uses);
    for (const each of await findRemovedOwnMethods(change, code))
      found.push(await describe(change, code, each, each.uses.slice(0, MAX_SHOWN_USES)));
    return found;
  },
};

export const removedNames: Check = {
  name: 'removed_name_used',
  reviewer: 'breaking_changes',
  looksFor: 'names of removed definitions that still occur where no import says what they mean',
  // Mostly something else with the same name, in a library or in the language.
  isOffByDefault: true,
  run: (change, code) =>
    findRemoved(change, code, ({ namesakes, uses }) => (uses.length === 0 ? namesakes : [])),
};

/** A variable or a property, not a member of an object. */
const DECLARED = /(?<![\w$.])([\w$]+)\s*(?::=|[:=](?![=>:]))/g;

async function findRemoved(
  change: Change,
  code: ReviewCode,
  chooseUses: (removed: Removed) => FoundLine[],
): Promise<Found[]> {
  const removed = await listRemoved(change, code);
  if (removed.length === 0) return [];
  await findUses(change, code, removed);
  const found: Found[] = [];
  for (const each of removed) {
    const uses = chooseUses(each);
    if (uses.length > 0) found.push(await describe(change, code, each, uses));
  }
  return found;
}

export async function listRemoved(change: Change, code: ReviewCode): Promise<Removed[]> {
  const removed: Removed[] = [];
  const { concerns = EVERYTHING } = change;
  for (const file of change.files) {
    if (file.change === 'added' || file.change === 'copied' || file.fileClass !== 'code') continue;
    if (file.hunks.every(({ oldLines }) => oldLines === 0) && file.change !== 'deleted') continue;
    const path = file.oldPath ?? file.path;
    if (COPY.test(path) || !(await concerns.file(file))) continue;
    const before = await code.symbols('base', path);
    if (!before || before.isGenerated) continue;
    const looked = before.symbols.filter((symbol) => isLooked(symbol) && concerns.name(file, symbol.name));
    if (looked.length === 0) continue;
    const after = file.change === 'deleted' ? null : await code.symbols('head', file.path);
    // A file that was not read whole may still have the name.
    if (file.change !== 'deleted' && (!after || after.incomplete !== null)) continue;
    const kept = new Set(after?.symbols.filter(({ isExported }) => isExported).map(nameIn));
    // It may export what it imports.
    const imported = after?.imports.flatMap(({ names }) => names) ?? [];
    for (const { as, name } of imported) kept.add(as ?? name);
    const isKept = (symbol: SymbolDefinition) =>
      kept.has(nameIn(symbol)) ||
      // A class that comes from elsewhere now can have its methods.
      (symbol.kind === 'method' && imported.some(({ as, name }) => (as ?? name) === symbol.container));
    const text = after ? ((await code.read('head', file.path)) ?? '') : '';
    if (isScript(before.language) && passesAllOn(text)) continue;
    const namespace =
      before.language === 'rust'
        ? await crateOf(code, path)
        : (NAMESPACE.exec((await code.read('base', path)) ?? '')?.[1] ?? null);
    const words = new Set(withoutComments(text, before.language).match(WORD));
    // A namespace passes nothing on, unlike `export *`. In Python, `import json` imports the module, not the names in it.
    const passesOn =
      before.language === 'python'
        ? /^\s*from\s.*\simport\s+\*/m.test(text)
        : imported.some(({ as, name }) => name === '*' && as === undefined);
    for (const symbol of looked) {
      if (isKept(symbol)) continue;
      if (before.language === 'java' && isGeneratedAccessor(symbol.name, text, words)) continue;
      const isMentioned = words.has(symbol.name);
      if (isMentioned && mayExport(after!, text, symbol.name)) continue;
      const about = { file, path, language: before.language, namespace, isMentioned };
      removed.push({ ...about, symbol, passesOn, uses: [], namesakes: [] });
      if (removed.length === MAX_NAMES) return removed;
    }
  }
  return removed;
}

/** Whether a file of CommonJS may have any name: it is another module, or gets the names of one. */
function passesAllOn(text: string): boolean {
  const object = text.search(/\bexports\s*=\s*\{/);
  return PASSING_ALL_ON.test(text) || (object !== -1 && text.includes('...', object));
}

/** There are many ways to export a name: a script that mentions it without defining it may still have it, and so may a module of CommonJS. */
function mayExport({ language, symbols }: FileSymbols, text: string, name: string): boolean {
  if (!isScript(language) && language !== 'python') return false;
  return text.includes('module.exports') || !symbols.some((symbol) => symbol.name === name);
}

/** Without comments, and without the texts in three quotes that document Python. What is not closed is left out to the end. */
function withoutComments(text: string, language: string | null): string {
  const start = isScript(language) ? SCRIPT_COMMENT : language === 'python' ? PYTHON_COMMENT : undefined;
  if (!start) return text;
  let code = '';
  let from = 0;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    code += text.slice(from, found.index);
    const close = found[0] === '/*' ? '*/' : found[0].length === 3 ? found[0] : '\n';
    const end = text.indexOf(close, start.lastIndex);
    from = end === -1 ? text.length : end + close.length;
    start.lastIndex = from;
  }
  return code + text.slice(from);
}

function isLooked({ isExported, kind, name }: SymbolDefinition): boolean {
  return (
    isExported && KINDS.has(kind) && name.length >= MIN_NAME_CHARACTERS && name.length <= MAX_NAME_CHARACTERS
  );
}

function isGeneratedAccessor(method: string, text: string, words: ReadonlySet<string>): boolean {
  const field = /^(?:get|is|set)([A-Z].*)$/.exec(method)?.[1];
  if (field === undefined || !GENERATES_ACCESSORS.test(text)) return false;
  return words.has(`${field.charAt(0).toLowerCase()}${field.slice(1)}`);
}

/** Methods of two classes can have the same name. */
function nameIn({ container, name }: SymbolDefinition): string {
  return container === undefined ? name : `${container}.${name}`;
}

async function findUses(change: Change, code: ReviewCode, removed: Removed[]): Promise<void> {
  const byName = Map.groupBy(removed, ({ symbol }) => symbol.name);
  const options = { wholeWords: true, leavesOutCommon: true };
  const { lines, tooCommon, truncated } = await code.find('head', [...byName.keys()], options);
  for (const name of tooCommon) byName.delete(name);
  const byPath = Map.groupBy(lines, ({ path }) => path);
  const definitions = new Map<string, string[]>();
  const pathsByName = new Map([...byName.keys()].map((name) => [name, new Set<string>()] as const));
  for (const { path, text } of lines)
    for (const [word] of text.matchAll(WORD)) pathsByName.get(word)?.add(path);
  const candidates: { each: Removed; line: FoundLine; facts: FileSymbols }[] = [];
  let read = 0;
  for (const [path, found] of byPath) {
    read += 1;
    if (read > MAX_FILES_READ) break;
    const facts = await code.symbols('head', path);
    if (!facts || facts.isGenerated) continue;
    for (const { name } of facts.symbols) {
      if (!byName.has(name)) continue;
      const paths = definitions.get(name) ?? [];
      if (paths.at(-1) !== path) paths.push(path);
      definitions.set(name, paths);
    }
    const usedAt = new Map(facts.uses.map(({ lines: at, name }) => [name, new Set(at)] as const));
    for (const line of found) {
      for (const [name] of line.text.matchAll(WORD)) {
        if (!usedAt.get(name)?.has(line.line)) continue;
        for (const each of byName.get(name) ?? []) candidates.push({ each, line, facts });
      }
    }
  }
  const files = new Set(await code.listFiles('head'));
  const isComplete = !truncated && read <= MAX_FILES_READ;
  const passedOn = new Set(
    lines.filter(({ text }) => PASSING_ON.test(text)).flatMap(({ text }) => text.match(WORD) ?? []),
  );
  // Something else than a method can have its name: what a hook returns, or a property.
  const declared = new Set(lines.flatMap(({ text }) => [...text.matchAll(DECLARED)].map(([, name]) => name)));
  const replaced = readReplacements(files.has('go.mod') ? await code.read('head', 'go.mod') : null);
  for (const { each, facts, line } of candidates) {
    const { name } = each.symbol;
    const definedIn = definitions.get(name) ?? [];
    if (each.symbol.kind === 'method' && declared.has(name)) continue;
    if (isOfAnother(each, byName.get(name)!, line.text)) continue;
    const isNowhere = isComplete && definedIn.length === 0 && !passedOn.has(name);
    const namedIn = pathsByName.get(name)!;
    const place = { ...line, facts, definedIn, files, isComplete, isNowhere, namedIn, replaced };
    const uses = saysWhich(each, facts) ? each.uses : each.namesakes;
    if (
      uses.length < MAX_SHOWN_USES &&
      !uses.some(({ path, line: at }) => path === line.path && at === line.line)
    ) {
      if (
        refersToRemoved(each, place, change) &&
        !(facts.language === 'python' && (await isOptionalImport(code, line)))
      )
        uses.push(line);
    }
  }
}

/** Two removed classes had this method, and the name of the object says which one is meant: `docker_utils.close()`. */
function isOfAnother({ symbol }: Removed, namesakes: Removed[], text: string): boolean {
  const called = new RegExp(`(?<![\\w$])([\\w$]+)(?:\\.|->|::)${symbol.name.replaceAll('$', '\\$')}\\b`).exec(
    text,
  )?.[1];
  const isNamed = ({ container = '' }: SymbolDefinition) => plain(container) === plain(called ?? '');
  return !isNamed(symbol) && namesakes.some((other) => isNamed(other.symbol));
}

const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

async function describe(
  change: Change,
  code: ReviewCode,
  { path, symbol }: Pick<Removed, 'path' | 'symbol'>,
  uses: FoundLine[],
): Promise<Found> {
  const text = (await code.read('base', path))?.split('\n')[symbol.line - 1] ?? symbol.name;
  const [first] = uses;
  const more =
    uses.length > 1 ? ` and ${uses.length - 1} more ${uses.length === 2 ? 'place' : 'places'}` : '';
  return {
    claim: 'removed_but_used',
    subject: nameIn(symbol),
    title: `${nameIn(symbol)} was removed but is still used`,
    scenario: `${first!.path}:${first!.line}${more} still use${more === '' ? 's' : ''} \`${symbol.name}\`, which ${path} no longer defines: the build fails, or that line fails when it runs.`,
    file: path,
    side: 'base',
    line: symbol.line,
    quote: text,
    evidence: uses.map(
      (use): Evidence => ({ side: 'head', path: use.path, line: use.line, quote: use.text.trim() }),
    ),
    command: `git grep -nw -e ${shellWord(symbol.name)} ${change.head.slice(0, 12)}`,
  };
}
