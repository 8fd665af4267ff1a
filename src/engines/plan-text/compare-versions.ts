/** The difference between two versions of a plan, by block and by word; blank lines and line endings are ignored. */
import {
  type Block,
  type BlockKind,
  compareWords,
  countChangedWords,
  countWords,
  diffSequences,
  type Hunk,
  internTokens,
  splitBlocks,
  type WordPiece,
} from '../text/index.ts';
import { pairBlocks } from './pair-blocks.ts';

export interface Span {
  start: number;
  end: number;
}

/**
 * In the order of the new version, with removed blocks at their old position. `moved`: the same text at another position;
 * listed only at the new one.
 */
export interface BlockDifference {
  change: 'same' | 'added' | 'removed' | 'changed' | 'moved';
  kind: BlockKind;
  before: Span | null;
  after: Span | null;
  /** The number of the change it belongs to, from 1; undefined for an unchanged block. */
  changeNumber?: number;
  /** For a changed block, unless the difference is too large to show by word. */
  words?: WordPiece[];
}

/**
 * The counting rule: blocks that were added next to each other are one change, as are blocks that were removed next to
 * each other; every edited and every moved block is a change of its own. The four kinds add up to `changes`.
 */
export interface VersionDifference {
  blocks: BlockDifference[];
  stats: {
    changes: number;
    added: number;
    removed: number;
    changed: number;
    moved: number;
    wordsAdded: number;
    wordsRemoved: number;
  };
  truncated: boolean;
}

/** The maximum that a page can show. Changed blocks beyond it are not compared by word. */
export const MAX_PIECES = 20_000;
/** Limits the time: comparing words that repeat many times is by far the slowest part. */
export const MAX_CHARACTERS_COMPARED = 1_000_000;

/** Kinds of blocks that can turn into one another: a paragraph into a list item, but not into a table. */
const PROSE = new Set<BlockKind>(['heading', 'paragraph', 'list-item', 'quote']);

export function compareVersions(before: string, after: string): VersionDifference {
  const old = readSide(before);
  const fresh = readSide(after);
  const [oldNumbers, newNumbers] = internTokens(old.texts, fresh.texts);
  const hunks = diffSequences(oldNumbers!, newNumbers!);
  const partners = new Partners(old.blocks.length, fresh.blocks.length);
  pairMoved(hunks, oldNumbers!, newNumbers!, old, partners);
  pairChanged(hunks, old, fresh, partners);
  return new DifferenceWriter(old, fresh, partners).write(hunks);
}

interface Side {
  content: string;
  blocks: Block[];
  /** The blocks' texts with normalized line endings. */
  texts: string[];
}

function readSide(content: string): Side {
  const blocks = splitBlocks(content);
  const hasCarriageReturns = content.includes('\r');
  const texts = blocks.map(({ end, start }) => {
    const text = content.slice(start, end);
    return hasCarriageReturns ? text.replace(/\r\n?/g, '\n') : text;
  });
  return { content, blocks, texts };
}

/** Pairs of blocks inside hunks, by their index on either side. */
class Partners {
  readonly ofOld: Int32Array;
  readonly ofNew: Int32Array;
  readonly #moved = new Set<number>();

  constructor(oldCount: number, newCount: number) {
    this.ofOld = new Int32Array(oldCount).fill(-1);
    this.ofNew = new Int32Array(newCount).fill(-1);
  }

  join(oldPlace: number, newPlace: number, isMove: boolean): void {
    this.ofOld[oldPlace] = newPlace;
    this.ofNew[newPlace] = oldPlace;
    if (isMove) this.#moved.add(newPlace);
  }

  isMoved(newPlace: number): boolean {
    return this.#moved.has(newPlace);
  }
}

/** A block that was removed in one place and added unchanged in another. A thematic break has no words and never moves. */
function pairMoved(
  hunks: Hunk[],
  oldNumbers: Int32Array,
  newNumbers: Int32Array,
  old: Side,
  partners: Partners,
): void {
  const removed = new Map<number, { places: number[]; used: number }>();
  for (const hunk of hunks) {
    for (let place = hunk.beforeStart; place < hunk.beforeEnd; place += 1) {
      const number = oldNumbers[place]!;
      const entry = removed.get(number);
      if (entry) entry.places.push(place);
      else if (/[\p{L}\p{N}]/u.test(old.texts[place]!)) removed.set(number, { places: [place], used: 0 });
    }
  }
  for (const hunk of hunks) {
    for (let place = hunk.afterStart; place < hunk.afterEnd; place += 1) {
      const entry = removed.get(newNumbers[place]!);
      if (!entry || entry.used === entry.places.length) continue;
      partners.join(entry.places[entry.used]!, place, true);
      entry.used += 1;
    }
  }
}

function pairChanged(hunks: Hunk[], old: Side, fresh: Side, partners: Partners): void {
  for (const hunk of hunks) {
    const oldPlaces = unpaired(hunk.beforeStart, hunk.beforeEnd, partners.ofOld);
    const newPlaces = unpaired(hunk.afterStart, hunk.afterEnd, partners.ofNew);
    if (oldPlaces.length === 0 || newPlaces.length === 0) continue;
    const pairs = pairBlocks(
      oldPlaces.map((place) => old.texts[place]!),
      newPlaces.map((place) => fresh.texts[place]!),
      (left, right) => areAlike(old.blocks[oldPlaces[left]!]!.kind, fresh.blocks[newPlaces[right]!]!.kind),
    );
    for (const pair of pairs) partners.join(oldPlaces[pair.before]!, newPlaces[pair.after]!, false);
  }
}

function unpaired(start: number, end: number, partners: Int32Array): number[] {
  const places: number[] = [];
  for (let place = start; place < end; place += 1) if (partners[place] === -1) places.push(place);
  return places;
}

function areAlike(left: BlockKind, right: BlockKind): boolean {
  return left === right || (PROSE.has(left) && PROSE.has(right));
}

class DifferenceWriter {
  readonly #old: Side;
  readonly #fresh: Side;
  readonly #partners: Partners;
  #pieces = 0;
  /** The block that was written last, with its index on its side. */
  #last: { change: BlockDifference['change']; place: number } = { change: 'same', place: -1 };
  #charactersCompared = 0;
  readonly #difference: VersionDifference = {
    blocks: [],
    stats: { changes: 0, added: 0, removed: 0, changed: 0, moved: 0, wordsAdded: 0, wordsRemoved: 0 },
    truncated: false,
  };

  constructor(old: Side, fresh: Side, partners: Partners) {
    this.#old = old;
    this.#fresh = fresh;
    this.#partners = partners;
  }

  write(hunks: Hunk[]): VersionDifference {
    let at = { before: 0, after: 0 };
    for (const hunk of hunks) {
      this.#writeSame(at.before, at.after, hunk.beforeStart);
      this.#writeHunk(hunk);
      at = { before: hunk.beforeEnd, after: hunk.afterEnd };
    }
    this.#writeSame(at.before, at.after, this.#old.blocks.length);
    return this.#difference;
  }

  #writeSame(before: number, after: number, end: number): void {
    for (let place = before; place < end; place += 1) this.#pair('same', place, after + place - before);
  }

  /** Between the same two neighbors, removed blocks come before added ones. */
  #writeHunk(hunk: Hunk): void {
    const limits: number[] = [];
    let limit = hunk.beforeEnd;
    for (let place = hunk.afterEnd - 1; place >= hunk.afterStart; place -= 1) {
      const partner = this.#partners.ofNew[place]!;
      if (partner >= 0 && !this.#partners.isMoved(place)) limit = partner;
      limits[place - hunk.afterStart] = limit;
    }
    let removed = hunk.beforeStart;
    for (let place = hunk.afterStart; place < hunk.afterEnd; place += 1) {
      removed = this.#writeRemoved(removed, limits[place - hunk.afterStart]!);
      const partner = this.#partners.ofNew[place]!;
      if (partner < 0) this.#writeAdded(place);
      else if (this.#partners.isMoved(place)) this.#pair('moved', partner, place);
      else this.#writeChanged(partner, place);
    }
    this.#writeRemoved(removed, hunk.beforeEnd);
  }

  #writeRemoved(from: number, to: number): number {
    const { stats } = this.#difference;
    for (let place = from; place < to; place += 1) {
      if (this.#partners.ofOld[place]! >= 0) continue;
      const { end, kind, start } = this.#old.blocks[place]!;
      this.#write({ change: 'removed', kind, before: { start, end }, after: null }, place);
      stats.wordsRemoved += countWords(this.#old.texts[place]!);
    }
    return Math.max(from, to);
  }

  #writeAdded(place: number): void {
    const { end, kind, start } = this.#fresh.blocks[place]!;
    this.#write({ change: 'added', kind, before: null, after: { start, end } }, place);
    this.#difference.stats.wordsAdded += countWords(this.#fresh.texts[place]!);
  }

  #writeChanged(before: number, after: number): void {
    const difference = this.#difference;
    const entry = this.#pair('changed', before, after);
    const oldText = this.#old.content.slice(entry.before!.start, entry.before!.end);
    const newText = this.#fresh.content.slice(entry.after!.start, entry.after!.end);
    this.#charactersCompared += oldText.length + newText.length;
    if (this.#charactersCompared > MAX_CHARACTERS_COMPARED) difference.truncated = true;
    const words = difference.truncated ? null : compareWords(oldText, newText);
    this.#pieces += words?.pieces.length ?? 0;
    if (this.#pieces > MAX_PIECES) difference.truncated = true;
    if (words && !difference.truncated) entry.words = words.pieces;
    const { wordsAdded, wordsRemoved } = words ?? countChangedWords(oldText, newText);
    difference.stats.wordsAdded += wordsAdded;
    difference.stats.wordsRemoved += wordsRemoved;
  }

  #pair(change: BlockDifference['change'], before: number, after: number): BlockDifference {
    const [old, fresh] = [this.#old.blocks[before]!, this.#fresh.blocks[after]!];
    const entry: BlockDifference = {
      change,
      kind: fresh.kind,
      before: { start: old.start, end: old.end },
      after: { start: fresh.start, end: fresh.end },
    };
    this.#write(entry, after);
    return entry;
  }

  #write(entry: BlockDifference, place: number): void {
    const { blocks, stats } = this.#difference;
    const { change } = entry;
    const last = this.#last;
    this.#last = { change, place };
    blocks.push(entry);
    if (change === 'same') return;
    const continues =
      (change === 'added' || change === 'removed') && last.change === change && last.place === place - 1;
    if (!continues) {
      stats.changes += 1;
      stats[change] += 1;
    }
    entry.changeNumber = stats.changes;
  }
}
