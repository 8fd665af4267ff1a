/**
 * Parses a class in square brackets into the bytes of its characters: every character of the class, and possibly
 * others. A negated class is therefore never enumerated: the complement of a larger set is a smaller one.
 */
import { type CharacterFlags, characterBytes, isLineFeed, type PatternCharacter } from './character-bytes.ts';
import { NotUnderstood } from './not-understood.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternCursor } from './pattern-cursor.ts';

/** The bytes of each character; undefined when there are too many or they aren't known. */
type ByteSet = Set<string> | undefined;

/** Ten digits or sixteen hexadecimal ones are still selective; the whole alphabet hardly is. */
const MAX_CHARACTERS = 16;

const ASCII_CLASS = /^\[:\^?[a-z]+:\]$/;
const MAX_ASCII_CLASS_LENGTH = '[:^xdigit:]'.length;

type Operator = '&&' | '--' | '~~';

/** A class that is still open. */
interface Level {
  negated: boolean;
  /** The operand before the last operator, if there is one. */
  before: { set: ByteSet; operator: Operator } | undefined;
  current: ByteSet;
}

/** The cursor is at the opening bracket. Undefined: one character about which nothing is known. */
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

/** Skips `[` and what is special only at the beginning: `^`, and literal `-` and `]`. */
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

/** `[:alpha:]` inside a class; any other `[` opens a nested class. */
function skipAsciiClass(cursor: PatternCursor): boolean {
  const text = cursor.peek(MAX_ASCII_CLASS_LENGTH);
  const end = text.indexOf(':]', 2) + 2;
  return ASCII_CLASS.test(text.slice(0, end)) && cursor.takeIf(text.slice(0, end));
}

function takeOperator(cursor: PatternCursor): Operator | undefined {
  return (['&&', '--', '~~'] as const).find((operator) => cursor.takeIf(operator));
}

/** Undefined for a set such as `\w`. */
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
    // Above ASCII, `(?-u)` allows only bytes, so one end written as a byte makes a range of bytes.
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

/** The set of a level so far. Where an operator removes characters, keeping them is the safe choice. */
function combine({ before, current }: Level): ByteSet {
  if (!before) return current;
  if (before.operator === '--') return before.set;
  if (before.operator === '~~') return union(before.set, current);
  if (!before.set || !current) return before.set ?? current;
  return before.set.intersection(current);
}
