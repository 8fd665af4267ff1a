/**
 * Methods that a class lost while it still calls them on `this` or `self`. A method can come from many places, so the class must have
 * no parent and nothing that looks names up, and every mention of the name that is left in its file must be a call.
 */
import type { FileSymbols, SymbolDefinition } from '../../../../platform/core/ports/code-facts.ts';
import { type Change, EVERYTHING } from '../../code/read-change.ts';
import { isScript } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';

/** Methods looked at in one review. */
const MAX_METHODS = 200;
const MAX_NAME_CHARACTERS = 200;
/** Code with any of these can have the method after all: it adds names that no definition shows, or makes `this` another object. */
const DYNAMIC_SCRIPT =
  /\bthis\s*\[|\bObject\.(?:assign|definePropert)|\bReflect\.|\bProxy\b|\bprototype\b|\bfunction\s*[\w$*]*\s*\(|\bthis\s*:|^\s*(?:readonly\s+)?\[\w+\s*:|[mM]ixin|@ts-(?:ignore|expect-error)/m;
const DYNAMIC_PYTHON = /__getattr|\bsetattr\b|__dict__|[mM]ixin/;
const INNER_CLASS = /(?<![\w$.-])class(?:\s+[\w$]|\s*\{)/;
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#)/;

export interface RemovedMethod {
  path: string;
  symbol: SymbolDefinition;
  uses: FoundLine[];
}

export async function findRemovedOwnMethods(change: Change, code: ReviewCode): Promise<RemovedMethod[]> {
  const found: RemovedMethod[] = [];
  const { concerns = EVERYTHING } = change;
  let looked = 0;
  for (const file of change.files) {
    if ((file.change !== 'modified' && file.change !== 'renamed') || file.fileClass !== 'code') continue;
    if (file.hunks.every(({ oldLines }) => oldLines === 0) || !(await concerns.file(file))) continue;
    const path = file.oldPath ?? file.path;
    const before = await code.symbols('base', path);
    if (!before || before.isGenerated || !(isScript(before.language) || before.language === 'python'))
      continue;
    const methods = before.symbols.filter(
      ({ container, kind, name }) =>
        kind === 'method' && container !== undefined && name.length <= MAX_NAME_CHARACTERS,
    );
    if (methods.length === 0) continue;
    const after = await code.symbols('head', file.path);
    if (!after || after.isGenerated || after.incomplete !== null || after.language !== before.language)
      continue;
    const lines = ((await code.read('head', file.path)) ?? '').split('\n');
    const left = new Set(after.symbols.map(({ name }) => name));
    for (const symbol of methods) {
      if (left.has(symbol.name) || !concerns.name(file, symbol.name)) continue;
      // Overloads have the same name.
      if (found.some((each) => each.path === path && isSame(each.symbol, symbol))) continue;
      const uses = callsOfItself(symbol, { before, after, lines, path: file.path });
      if (uses.length === 0 || looked === MAX_METHODS) continue;
      looked += 1;
      if (!(await isElsewhere(code, symbol, after.language, file.path))) found.push({ path, symbol, uses });
    }
  }
  return found;
}

const isSame = (one: SymbolDefinition, other: SymbolDefinition) =>
  one.name === other.name && one.container === other.container;

interface Place {
  before: FileSymbols;
  after: FileSymbols;
  lines: string[];
  path: string;
}

/** The lines of its class that call it; none if anything in the file may still give the class that name. */
function callsOfItself(
  { container, name }: SymbolDefinition,
  { after, before, lines, path }: Place,
): FoundLine[] {
  const classes = after.symbols.filter((each) => each.name === container);
  const [owner] = classes;
  if (owner?.kind !== 'class' || classes.length > 1) return [];
  if (before.symbols.filter((each) => each.name === container).length > 1) return [];
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  const call = new RegExp(`(?<=\\.)${word.source}(?=[(.])`, 'g');
  const mentions = lines.flatMap((text, index) =>
    word.test(text) && !COMMENT_LINE.test(text) ? [{ text, line: index + 1 }] : [],
  );
  if (mentions.length === 0 || mentions.some(({ text }) => word.test(text.replaceAll(call, '')))) return [];
  if (lines.some((text) => text.includes('@ts-nocheck'))) return [];
  const body = lines.slice(owner.line - 1, owner.endLine);
  if (!isPlainClass(body, lines[owner.line - 2] ?? '', after.language)) return [];
  const used = new Set(after.uses.find((each) => each.name === name)?.lines);
  const own = new RegExp(`(?<![\\w$.])${isScript(after.language) ? 'this' : 'self'}\\.${word.source}\\(`);
  return mentions.flatMap(({ line, text }) =>
    used.has(line) && line > owner.line && line <= owner.endLine && own.test(text)
      ? [{ path, line, text }]
      : [],
  );
}

/** Without a parent, a class in it, or a way to get names that are not written in it. */
function isPlainClass(body: string[], above: string, language: string | null): boolean {
  const text = body.join('\n');
  if (INNER_CLASS.test(body.slice(1).join('\n'))) return false;
  if (language === 'python')
    return (
      /^\s*class\s+\w+\s*(?:\[[^\]]*\])?\s*(?:\(\s*(?:object)?\s*\))?\s*:/.test(text) &&
      !/^\s*@|\)\s*$/.test(above) &&
      !DYNAMIC_PYTHON.test(text)
    );
  const head = /^[\s\S]*?\{[ \t]*$/m.exec(text)?.[0] ?? text;
  if (/\bextends\b/.test(head) || DYNAMIC_SCRIPT.test(text)) return false;
  return isTyped(language) || !/^\s*@|\)\s*$/.test(above);
}

const isTyped = (language: string | null) => language === 'typescript' || language === 'tsx';

/**
 * Whether another file may define it for the class. A compiler wants it in the class or in an interface of the same name; without one, a
 * subclass can have it, or any code can put it there.
 */
async function isElsewhere(
  code: ReviewCode,
  { container, name }: SymbolDefinition,
  language: string | null,
  path: string,
): Promise<boolean> {
  const texts = isTyped(language) ? [`interface ${container}`, `${container}.prototype`] : [name];
  const { lines, tooCommon, truncated } = await code.find('head', texts, { wholeWords: true });
  if (truncated || tooCommon.length > 0) return true;
  if (isTyped(language)) return lines.length > 0;
  const call = new RegExp(`(?<=\\.)${name.replaceAll('$', '\\$')}(?=[(.])`, 'g');
  return lines.some((each) => each.path !== path && each.text.replaceAll(call, '').includes(name));
}
