/**
 * Runs a glob over the bytes of paths, in time linear in their length whatever the pattern. Sets of steps become table
 * states when they are first reached (a lazily built deterministic automaton); a full table is cleared.
 */
import type { Passable, Steps } from './build-steps.ts';
import { decodeCodePoint, encodedLength } from './decode-code-point.ts';

/** Table cells, four bytes each, for all states together. */
const MAX_CELLS = 2 ** 18;
/** Room for a few states even when the pattern distinguishes very many character classes. */
const MIN_STATES = 16;

/** The state from which nothing can match. */
export const DEAD = 0;
const UNKNOWN = -1;
const SLASH = 0x2f;

export class PathMatcher {
  readonly #steps: Steps;
  readonly #startSet: number[];
  readonly #isEnd: Uint8Array;
  /** Steps from which an end can be reached. */
  readonly #isUseful: Uint8Array;
  /** Steps from which an end can be reached without a slash. */
  readonly #isNearEnd: Uint8Array;
  /** The start of each character class: the pattern treats all code points of a class alike. */
  readonly #kindStarts: number[];
  readonly #asciiKinds: Uint16Array;
  readonly #maxStates: number;

  /** A row per state with the next state for each character class. A state is identified by the offset of its row. */
  #table = new Int32Array(0);
  #sets: number[][] = [];
  #accepts: boolean[] = [];
  #acceptsNames: boolean[] = [];
  #stateOfSet = new Map<string, number>();
  #startState = DEAD;
  #generation = 0;
  #builtTransitions = 0;

  constructor(steps: Steps, start: number, ends: number[]) {
    this.#steps = steps;
    this.#isEnd = new Uint8Array(steps.silent.length);
    for (const end of ends) this.#isEnd[end] = 1;
    this.#isUseful = findSources(steps, ends, () => true);
    this.#isNearEnd = findSources(steps, ends, (pass) => pass !== 'slash');
    this.#kindStarts = findKinds(steps);
    this.#asciiKinds = Uint16Array.from({ length: 0x80 }, (_, codePoint) => this.#kindOf(codePoint));
    this.#maxStates = Math.max(MIN_STATES, Math.floor(MAX_CELLS / this.#kindStarts.length));
    this.#startSet = this.#close([start]);
    this.#empty();
  }

  /** How many transitions were computed, each in time linear in the pattern: at most one per character read. */
  get builtTransitions(): number {
    return this.#builtTransitions;
  }

  /** Changes when the table is cleared, which invalidates states returned earlier. */
  get generation(): number {
    return this.#generation;
  }

  get startState(): number {
    return this.#startState;
  }

  matches(path: Uint8Array, start: number, end: number): boolean {
    return this.accepts(this.run(this.#startState, path, start, end));
  }

  accepts(state: number): boolean {
    return this.#accepts[state / this.#kindStarts.length]!;
  }

  /** Whether a name without a slash can follow and complete a match. */
  acceptsNames(state: number): boolean {
    return this.#acceptsNames[state / this.#kindStarts.length]!;
  }

  /** The state after the bytes from `start` to `end`, which must hold whole characters; DEAD when nothing that follows can match. */
  run(from: number, path: Uint8Array, start: number, end: number): number {
    const kinds = this.#asciiKinds;
    let table = this.#table;
    let state = from;
    let at = start;
    while (true) {
      // Non-ASCII characters and new transitions are left to the slow step below.
      while (at < end) {
        const byte = path[at]!;
        if (byte >= 0x80) break;
        const next = table[state + kinds[byte]!]!;
        if (next <= DEAD) break;
        state = next;
        at += 1;
      }
      if (at === end) return state;
      const codePoint = decodeCodePoint(path, at, end);
      state = this.#next(state, this.#kindOf(codePoint));
      if (state === DEAD) return DEAD;
      at += encodedLength(codePoint);
      table = this.#table;
    }
  }

  #next(state: number, kind: number): number {
    const known = this.#table[state + kind]!;
    return known === UNKNOWN ? this.#build(state, kind) : known;
  }

  #build(state: number, kind: number): number {
    this.#builtTransitions += 1;
    const example = this.#kindStarts[kind]!;
    const reached: number[] = [];
    for (const each of this.#sets[state / this.#kindStarts.length]!) {
      for (const { pass, to } of this.#steps.reading[each]!) {
        if (canPass(pass, example)) reached.push(to);
      }
    }
    const set = this.#close(reached);
    const known = this.#stateOfSet.get(set.join());
    if (known === undefined && this.#sets.length >= this.#maxStates) {
      this.#empty();
      return this.#stateFor(set);
    }
    const next = known ?? this.#stateFor(set);
    this.#table[state + kind] = next;
    return next;
  }

  #stateFor(set: number[]): number {
    const key = set.join();
    const known = this.#stateOfSet.get(key);
    if (known !== undefined) return known;
    const width = this.#kindStarts.length;
    const state = this.#sets.length * width;
    if (state + width > this.#table.length) {
      const larger = new Int32Array(Math.max(MIN_STATES * width, this.#table.length * 2)).fill(UNKNOWN);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#stateOfSet.set(key, state);
    this.#sets.push(set);
    this.#accepts.push(set.some((each) => this.#isEnd[each] === 1));
    this.#acceptsNames.push(set.some((each) => this.#isNearEnd[each] === 1));
    return state;
  }

  #empty(): void {
    this.#generation += 1;
    this.#table.fill(UNKNOWN);
    this.#sets = [];
    this.#accepts = [];
    this.#acceptsNames = [];
    this.#stateOfSet.clear();
    this.#stateFor([]);
    this.#startState = this.#stateFor(this.#startSet);
  }

  /** The useful steps reachable from these without reading anything, in order. */
  #close(states: number[]): number[] {
    const found = new Set<number>();
    const open = states.slice();
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (found.has(state) || !this.#isUseful[state]) continue;
      found.add(state);
      open.push(...this.#steps.silent[state]!);
    }
    return [...found]
      .filter((state) => this.#isEnd[state] === 1 || this.#steps.reading[state]!.length > 0)
      .sort((one, other) => one - other);
  }

  #kindOf(codePoint: number): number {
    let low = 0;
    let high = this.#kindStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#kindStarts[middle]! <= codePoint) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function canPass(pass: Passable, codePoint: number): boolean {
  if (pass === 'anything') return true;
  if (pass === 'slash') return codePoint === SLASH;
  if (codePoint === SLASH) return false;
  return pass.ranges.some(([first, last]) => codePoint >= first && codePoint <= last) !== pass.negated;
}

function findKinds({ reading }: Steps): number[] {
  const starts = new Set([0, SLASH, SLASH + 1]);
  for (const { pass } of reading.flat()) {
    if (typeof pass === 'string') continue;
    for (const [first, last] of pass.ranges) starts.add(first).add(last + 1);
  }
  return [...starts].sort((one, other) => one - other);
}

/** The steps from which an end is reachable through the allowed transitions. */
function findSources(
  { silent, reading }: Steps,
  ends: number[],
  isPassed: (pass: Passable) => boolean,
): Uint8Array {
  const sources: number[][] = silent.map(() => []);
  for (const [from, targets] of silent.entries()) for (const to of targets) sources[to]!.push(from);
  for (const [from, targets] of reading.entries()) {
    for (const { pass, to } of targets) if (isPassed(pass)) sources[to]!.push(from);
  }
  const found = new Uint8Array(silent.length);
  const open = ends.slice();
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (found[state]) continue;
    found[state] = 1;
    open.push(...sources[state]!);
  }
  return found;
}
