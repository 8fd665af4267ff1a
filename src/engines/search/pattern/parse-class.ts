/**
 * Reads a class in square brackets into the bytes that its characters can have: every character of the class, and
 * perhaps others. A negated class is therefore never spelled out: what is outside of a larger set is a smaller one.
 */
import { type CharacterFlags, characterBytes, isLineFeed, type PatternCharacter } from './character-bytes.ts';
import { NotUnderstood } from './not-understood.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternCursor } from './pattern-cursor.ts';

/** The bytes of each character; undefined when they are too many or not known. */
type ByteSet = Set<string> | undefined;

/** Ten digits or sixteen hexadecimal ones still tell files apart; the whole alphabet hardly does. */
const MAX_CHARACTERS = 16;

const ASCII_CLASS = /^\[:\^?[a-z]+:\]$/;
const MAX_ASCII_CLASS_LENGTH = '[:^xdigit:]'.length;

type Operator = '&&' | '--' | '~~';

/** A class that is still open. */
interface Level {
  negated: boolean;
  /** What stands before the last operator, once there was one. */
  before: { set: ByteSet; operator: Operator } | undefined;
  current: ByteSet;
}

/** The opening bracket is at hand. Undefined: one character, of which nothing is known. */
export function parseClass(cursor: PatternCursor, flags: CharacterFlags): string[] | undefined {
  const levels: Level[] = [];
  const add = (character: PatternCharacter, last = character) => {
    const level = levels.at(-1)!;
    level.current = union(level.current, expand(character, last, flags));
  };
  let heldLineFeed = false;

  do {
    cursor.skipSpace();
    if (cursor.current === '[') {
      if (levels.length > 0 && skipAsciiClass(cursor)) levels.at(-1)!.current = undefined;
      else levels.push(openLevel(cursor, add, levels));
      continue;
    }
    const level = levels.at(-1)!;
    if (cursor.takeIf(']')) {
      levels.pop();
      const closed = level.negated ? undefined : combine(level);
      const outer = levels.at(-1);
      if (outer) outer.current = union(outer.current, closed);
      else if (heldLineFeed && closed?.size === 0) throw new NotUnderstood('no line holds a line feed');
      else return closed && [...closed];
      continue;
    }
    const operator = takeOperator(cursor);
    if (operator) {
      level.before = { set: combine(level), operator };
      level.current = new Set();
      continue;
    }
    const first = takeItem(cursor);
    cursor.skipSpace();
    const isRange =
      cursor.current === '-' && cursor.nextBeyondSpace !== ']' && cursor.nextBeyondSpace !== '-';
    if (!first) {
      if (isRange) throw new NotUnderstood('a range from a set');
      level.current = undefined;
      continue;
    }
    let last = first;
    if (isRange) {
      cursor.take();
      cursor.skipSpace();
      const end = takeItem(cursor);
      if (!end || end.codePoint < first.codePoint) throw new NotUnderstood('a range without an end');
      last = end;
    }
    heldLineFeed ||= isLineFeed(first);
    add(first, last);
  } while (levels.length > 0);
  throw new NotUnderstood('a class without an end');
}

/** Passes `[` and what may stand only at the beginning: `^`, and `-` and `]` which stand for themselves there. */
function openLevel(
  cursor: PatternCursor,
  add: (character: PatternCharacter) => void,
  levels: Level[],
): Level {
  cursor.take();
  cursor.skipSpace();
  const level: Level = { negated: cursor.takeIf('^'), before: undefined, current: new Set() };
  levels.push(level);
  cursor.skipSpace();
  let isFirst = true;
  for (; cursor.takeIf('-'); cursor.skipSpace()) {
    add(verbatim('-'));
    isFirst = false;
  }
  if (isFirst && cursor.takeIf(']')) add(verbatim(']'));
  return levels.pop()!;
}

/** `[:alpha:]` inside of a class; other text that begins with `[` opens a nested class. */
function skipAsciiClass(cursor: PatternCursor): boolean {
  const text = cursor.peek(MAX_ASCII_CLASS_LENGTH);
  const end = text.indexOf(':]', 2) + 2;
  return ASCII_CLASS.test(text.slice(0, end)) && cursor.takeIf(text.slice(0, end));
}

function takeOperator(cursor: PatternCursor): Operator | undefined {
  return (['&&', '--', '~~'] as const).find((operator) => cursor.takeIf(operator));
}

/** Undefined stands for a set such as `\w`. */
function takeItem(cursor: PatternCursor): PatternCharacter | undefined {
  const sign = cursor.take();
  if (sign !== '\\') return verbatim(sign);
  const escaped = parseEscape(cursor);
  if (escaped.kind === 'assertion') throw new NotUnderstood('an assertion in a class');
  return escaped.kind === 'character' ? escaped.character : undefined;
}

function verbatim(sign: string): PatternCharacter {
  return { codePoint: sign.codePointAt(0)!, isByteEscape: false };
}

function expand(first: PatternCharacter, last: PatternCharacter, flags: CharacterFlags): ByteSet {
  if (last.codePoint - first.codePoint > 2 * MAX_CHARACTERS) return undefined;
  const bytes = new Set<string>();
  for (let codePoint = first.codePoint; codePoint <= last.codePoint; codePoint += 1) {
    // Beyond ASCII `(?-u)` allows only bytes, so that one end written as a byte makes a range of bytes.
    const one = { codePoint, isByteEscape: first.isByteEscape || last.isByteEscape };
    if (isLineFeed(one) || (codePoint >= 0xd800 && codePoint <= 0xdfff)) continue;
    const found = characterBytes(one, flags);
    if (!found) return undefined;
    for (const each of found) bytes.add(each);
  }
  return bytes;
}

function union(one: ByteSet, other: ByteSet): ByteSet {
  if (!one || !other) return undefined;
  const all = one.union(other);
  return all.size > MAX_CHARACTERS ? undefined : all;
}

/** The set of a level so far. Where an operator takes characters away, keeping them is the safe side. */
function combine({ before, current }: Level): ByteSet {
  if (!before) return current;
  if (before.operator === '--') return before.set;
  if (before.operator === '~~') return union(before.set, current);
  if (!before.set || !current) return before.set ?? current;
  return before.set.intersection(current);
}
