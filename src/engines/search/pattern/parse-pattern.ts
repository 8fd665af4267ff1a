/**
 * Parses a pattern in the syntax of Rust's regex crate, as ripgrep does, and derives what is known about its matches.
 * It keeps its own stack, so that groups can be nested to any depth.
 */
import { type CharacterFlags, characterBytes, type PatternCharacter } from './character-bytes.ts';
import {
  EMPTY_STRING,
  inSequence,
  type KnownStrings,
  NOTHING_KNOWN,
  oneOf,
  repeated,
} from './known-strings.ts';
import { NotUnderstood } from './not-understood.ts';
import { parseClass } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { PatternCursor } from './pattern-cursor.ts';
import type { QueryBuilder } from './trigram-query.ts';

interface Flags extends CharacterFlags {
  verbose: boolean;
}

/** A group that is still open. */
interface Group {
  branches: KnownStrings[];
  /** The current branch without its last item, which a repetition operator may still follow. */
  sequence: KnownStrings;
  last: KnownStrings | undefined;
  /** The flags to restore when it closes. */
  outerFlags: Flags;
}

export function parsePattern(builder: QueryBuilder, pattern: string): KnownStrings {
  // ripgrep wraps each pattern like this, so even `a)|(b` is a valid pattern.
  const cursor = new PatternCursor(`(?:${pattern})`);
  let flags: Flags = { ignoreCase: false, unicode: true, verbose: false };
  const groups: Group[] = [newGroup(flags)];

  const use = (next: Flags) => {
    flags = next;
    cursor.verbose = next.verbose;
  };
  const add = (item: KnownStrings) => {
    const group = groups.at(-1)!;
    endItem(builder, group);
    group.last = item;
  };

  for (cursor.skipSpace(); !cursor.done; cursor.skipSpace()) {
    const group = groups.at(-1)!;
    if (cursor.current === '[') {
      const characters = parseClass(cursor, flags);
      add(characters ? { exact: characters } : NOTHING_KNOWN);
      continue;
    }
    const sign = cursor.take();
    if (sign === '(') {
      const opened = openGroup(cursor, flags);
      if (opened.isGroup) groups.push(newGroup(flags));
      else endItem(builder, group);
      use(opened.flags);
    } else if (sign === ')') {
      groups.pop();
      if (groups.length === 0) throw new NotUnderstood('a group that was never opened');
      use(group.outerFlags);
      add(closeGroup(builder, group));
    } else if (sign === '|') {
      endBranch(builder, group);
    } else if (sign === '?' || sign === '*' || sign === '+' || sign === '{') {
      const [least, most] =
        sign === '{' ? parseCounts(cursor) : [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity];
      if (!group.last) throw new NotUnderstood('nothing to repeat');
      group.last = repeated(builder, group.last, least, most);
      // A lazy repetition matches the same strings. With whitespace in between, the operator repeats once more.
      cursor.takeIf('?');
    } else if (sign === '\\') {
      const escaped = parseEscape(cursor);
      if (escaped.kind === 'character') add(knownCharacter(escaped.character, flags));
      else add(escaped.kind === 'set' ? NOTHING_KNOWN : EMPTY_STRING);
    } else if (sign === '^' || sign === '$') {
      add(EMPTY_STRING);
    } else if (sign === '.') {
      add(NOTHING_KNOWN);
    } else {
      add(knownCharacter({ codePoint: sign.codePointAt(0)!, isByteEscape: false }, flags));
    }
  }
  if (groups.length > 1) throw new NotUnderstood('a group without an end');
  return closeGroup(builder, groups[0]!);
}

function newGroup(outerFlags: Flags): Group {
  return { branches: [], sequence: EMPTY_STRING, last: undefined, outerFlags };
}

function endItem(builder: QueryBuilder, group: Group): void {
  if (group.last) group.sequence = inSequence(builder, group.sequence, group.last);
  group.last = undefined;
}

function endBranch(builder: QueryBuilder, group: Group): void {
  endItem(builder, group);
  group.branches.push(group.sequence);
  group.sequence = EMPTY_STRING;
}

function closeGroup(builder: QueryBuilder, group: Group): KnownStrings {
  endBranch(builder, group);
  return oneOf(builder, group.branches);
}

function knownCharacter(character: PatternCharacter, flags: CharacterFlags): KnownStrings {
  const bytes = characterBytes(character, flags);
  return bytes ? { exact: bytes } : NOTHING_KNOWN;
}

/** Parses what follows `(`: a name, flags for the group, or flags for the rest of the enclosing group. */
function openGroup(cursor: PatternCursor, flags: Flags): { isGroup: boolean; flags: Flags } {
  cursor.skipSpace();
  if (!cursor.takeIf('?')) return { isGroup: true, flags };
  if (cursor.takeIf('P<') || cursor.takeIf('<')) {
    if (cursor.current === '=' || cursor.current === '!') throw new NotUnderstood('look-behind');
    while (!cursor.takeIf('>')) cursor.take();
    return { isGroup: true, flags };
  }
  const changed = { ...flags };
  let value = true;
  let count = 0;
  for (; cursor.current !== ':' && cursor.current !== ')'; count += 1) {
    const sign = cursor.take();
    if (sign === '-') value = false;
    else if (sign === 'i') changed.ignoreCase = value;
    else if (sign === 'u') changed.unicode = value;
    else if (sign === 'x') changed.verbose = value;
    else if (!'msUR'.includes(sign)) throw new NotUnderstood(`unknown flag ${sign}`);
  }
  const isGroup = cursor.take() === ':';
  if (!isGroup && count === 0) throw new NotUnderstood('no flags');
  return { isGroup, flags: changed };
}

/** `{2}`, `{2,}` or `{2,5}`; the cursor is after the opening brace. */
function parseCounts(cursor: PatternCursor): [least: number, most: number] {
  let text = '';
  while (!cursor.takeIf('}')) text += cursor.take();
  const counts = /^\s*(\d+)\s*(?:(,)\s*(\d+)?\s*)?$/.exec(text);
  if (!counts) throw new NotUnderstood('a repetition without a count');
  const least = Number(counts[1]);
  const most = counts[3] ? Number(counts[3]) : counts[2] ? Infinity : least;
  if (most < least) throw new NotUnderstood('a repetition from more to less');
  return [least, most];
}
