/** Chooses the parts of a shard that can match, by the trigrams that every match must contain. */
import type { PatternPlan, TrigramQuery } from '../pattern/index.ts';
import type { Shard } from './read-shard.ts';

/** Parts of a shard, ascending; `all` when nothing is known about them. */
export type Choice = Uint32Array | 'all';

const NONE = new Uint32Array(0);
/** Reading this little text is faster than reading another list. */
const LITTLE_TEXT_BYTES = 24 * 1024;
/** A list is worth reading only if it is this many times shorter than the remaining text. */
const TEXT_BYTES_A_LIST_BYTE = 20;
/** The approximate number of bytes read for a part. */
const PART_BYTES = 8 * 1024;

/**
 * A short match lies within one part of a very long line. The trigrams of a longer one may be spread over all of its
 * parts, so the line's first part represents the whole line.
 */
export function chooseParts(
  shard: Shard,
  { query, words }: Pick<PatternPlan, 'query' | 'words'>,
  isShort: boolean,
): Choice {
  const { list, listBytes } = shard;
  const textBytes = (parts: Uint32Array) => parts.length * PART_BYTES;
  const ofLines = (trigram: number) => firstParts(shard, list(trigram));
  const lists: Lists = { list: isShort ? list : ofLines, listBytes, textBytes, ...bitsOf(shard, isShort) };
  const chosen = choose(lists, query);
  return isShort || chosen === 'all' ? chosen : keepWithWords(shard, chosen, words);
}

/** A very long line contains nearly every trigram somewhere. Those of one word must be in the same part. */
function keepWithWords(shard: Shard, lines: Uint32Array, words: TrigramQuery[]): Uint32Array {
  const { groups, listBytes } = shard;
  let kept = lines;
  const lists: Lists = {
    listBytes,
    list: (trigram) => partsOf(shard, kept, shard.list(trigram)),
    isInMemory: () => false,
    among: (parts, trigram) => intersect(parts, lists.list(trigram)),
    textBytes: (parts) => firstParts(shard, parts).reduce((sum, line) => sum + lineBytes(shard, line), 0),
  };
  const rarestFirst = words
    .map((word) => ({ word, cost: costOf(lists, word) }))
    .sort((one, other) => one.cost - other.cost);
  for (const { word } of rarestFirst) {
    if (!kept.some((line) => groups[line + 1] === line)) break;
    const having = choose(lists, word);
    if (having !== 'all') kept = firstParts(shard, having);
  }
  return kept;
}

/** The parts that belong to the given lines; both ascending. */
function partsOf({ groups }: Shard, lines: Uint32Array, parts: Uint32Array): Uint32Array {
  let line = 0;
  return parts.filter((part) => {
    const group = groups[part]!;
    while (line < lines.length && lines[line]! < group) line += 1;
    return lines[line] === group;
  });
}

function lineBytes({ groups, parts, textBytes }: Shard, line: number): number {
  let next = line + 1;
  while (groups[next] === line) next += 1;
  return (parts[next] ?? textBytes) - parts[line]!;
}

type Lists = Pick<Shard, 'list' | 'listBytes'> & {
  /** The approximate number of bytes to read when these parts are chosen. */
  textBytes(parts: Uint32Array): number;
  /** Whether `among` reads nothing for this trigram. */
  isInMemory(trigram: number): boolean;
  /** The parts among these that contain a trigram. */
  among(parts: Uint32Array, trigram: number): Uint32Array;
};

/** Decoding a list of thousands of parts takes longer than testing a bit for each of the few that remain. */
function bitsOf(shard: Shard, isShort: boolean): Pick<Lists, 'isInMemory' | 'among'> {
  const { groups } = shard;
  return {
    isInMemory: shard.hasBits,
    among(parts, trigram) {
      const bits = shard.bits(trigram);
      const has = (part: number) => (bits[part >>> 5]! >>> (part & 31)) & 1;
      if (isShort) return parts.filter((part) => has(part));
      return parts.filter((line) => {
        for (let part = line; groups[part] === line; part += 1) if (has(part)) return true;
        return false;
      });
    },
  };
}

function firstParts({ groups }: Shard, parts: Uint32Array): Uint32Array {
  const first = new Uint32Array(parts.length);
  let count = 0;
  for (const part of parts) {
    const group = groups[part]!;
    if (count > 0 && first[count - 1] === group) continue;
    first[count] = group;
    count += 1;
  }
  return first.subarray(0, count);
}

function choose(lists: Lists, query: TrigramQuery): Choice {
  if (query.kind === 'all') return 'all';
  if (query.kind === 'none') return NONE;
  if (query.kind === 'trigram') return lists.list(query.value);
  return query.kind === 'and' ? chooseAll(lists, query.parts) : chooseAny(lists, query.parts);
}

function chooseAny(lists: Lists, parts: TrigramQuery[]): Choice {
  let chosen: Choice = NONE;
  for (const part of parts) {
    const some = choose(lists, part);
    if (some === 'all') return 'all';
    chosen = unite(chosen as Uint32Array, some);
  }
  return chosen;
}

/** Reads the shortest list first, and others only while they are worth it or in memory. */
function chooseAll(lists: Lists, parts: TrigramQuery[]): Choice {
  const costed = parts
    .map((part) => ({ part, cost: costOf(lists, part) }))
    .sort((one, other) => one.cost - other.cost);
  let chosen: Choice = 'all';
  for (const { cost, part } of costed) {
    if (cost === 0) return NONE;
    if (chosen === 'all') {
      chosen = choose(lists, part);
      continue;
    }
    const bytes = lists.textBytes(chosen);
    if (bytes <= LITTLE_TEXT_BYTES) break;
    const isWorthIt = cost <= bytes / TEXT_BYTES_A_LIST_BYTE;
    if (part.kind === 'trigram') {
      if (isWorthIt || lists.isInMemory(part.value)) chosen = lists.among(chosen, part.value);
    } else if (isWorthIt) {
      const some = choose(lists, part);
      if (some !== 'all') chosen = intersect(chosen, some);
    }
  }
  return chosen;
}

/** The approximate number of bytes of lists to read; 0 when no part can match. */
function costOf(lists: Lists, query: TrigramQuery): number {
  if (query.kind === 'all') return Number.POSITIVE_INFINITY;
  if (query.kind === 'none') return 0;
  if (query.kind === 'trigram') return lists.listBytes(query.value);
  const costs = query.parts.map((part) => costOf(lists, part));
  return query.kind === 'and' ? Math.min(...costs) : costs.reduce((sum, cost) => sum + cost, 0);
}

function intersect(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(one.length, other.length));
  let [count, left, right] = [0, 0, 0];
  while (left < one.length && right < other.length) {
    const difference = one[left]! - other[right]!;
    if (difference === 0) {
      both[count] = one[left]!;
      count += 1;
    }
    if (difference <= 0) left += 1;
    if (difference >= 0) right += 1;
  }
  return both.subarray(0, count);
}

function unite(one: Uint32Array, other: Uint32Array): Uint32Array {
  const either = new Uint32Array(one.length + other.length);
  let [count, left, right] = [0, 0, 0];
  while (left < one.length || right < other.length) {
    const [a, b] = [one[left] ?? Number.POSITIVE_INFINITY, other[right] ?? Number.POSITIVE_INFINITY];
    either[count] = Math.min(a, b);
    count += 1;
    if (a <= b) left += 1;
    if (b <= a) right += 1;
  }
  return either.subarray(0, count);
}
