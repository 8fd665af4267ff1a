/**
 * Turns a parsed glob into a graph of steps (a nondeterministic automaton over characters). The result is the same as
 * with braces expanded first, `{a,b/c}` being `a` at any depth or `b/c` at the root, but without expanding them: each
 * node is entered once for every kind of position it can have, of which there are at most fifteen.
 */
import type { CharacterSet, GlobNode } from './parse-glob.ts';

/** A step consumes a set of characters without the slash, a slash, or anything. */
export type Passable = CharacterSet | 'slash' | 'anything';

export interface Steps {
  start: number;
  /** A start from which whole folders can be skipped. */
  startInAnyFolder: number;
  /** Transitions that consume nothing. */
  silent: number[][];
  reading: Array<Array<{ pass: Passable; to: number }>>;
  /** Ends of a pattern without a slash, which matches file names in any folder. */
  nameEnds: number[];
  /** Ends of a pattern whose only slash is its last character: everything in folders with that name, at any depth. */
  folderEnds: number[];
  /** Ends of a pattern with any other slash, which matches paths from the root. */
  rootEnds: number[];
}

/** The position in a path component: two stars are special only when they are the whole component. */
type Position = 'beginning' | 'component' | 'star' | 'two-stars' | 'inside';
/** Whether a slash anchors the pattern: not if it is the last character, which is known once something follows. */
type Anchor = 'none' | 'perhaps' | 'anchored';

interface Front {
  position: Position;
  anchor: Anchor;
  state: number;
  /** The start of the component, from which `**` can skip whole folders. */
  componentStart: number;
}

const NOT_SLASH: CharacterSet = { ranges: [], negated: true };

export function buildSteps(nodes: GlobNode[]): Steps {
  const builder = new StepsBuilder();
  const start = builder.newState();
  const beginning: Front = { position: 'beginning', anchor: 'none', state: start, componentStart: start };
  const ends = builder.follow([beginning], nodes);
  const endsOf = (anchor: Anchor) =>
    ends.filter((end) => end.anchor === anchor).map((end) => builder.lastState(end));
  return {
    start,
    startInAnyFolder: builder.passFolders(start),
    nameEnds: endsOf('none'),
    folderEnds: endsOf('perhaps'),
    rootEnds: endsOf('anchored'),
    silent: builder.silent,
    reading: builder.reading,
  };
}

class StepsBuilder {
  readonly silent: Steps['silent'] = [];
  readonly reading: Steps['reading'] = [];

  newState(from: number[] = []): number {
    const state = this.silent.push([]) - 1;
    this.reading.push([]);
    for (const each of from) this.silent[each]!.push(state);
    return state;
  }

  /** A state that leads to `to` at the beginning and after each slash. */
  passFolders(to: number): number {
    const state = this.newState();
    this.silent[state]!.push(to);
    this.#read(this.#loop('anything', state), 'slash', to);
    return state;
  }

  follow(fronts: Front[], nodes: GlobNode[]): Front[] {
    let current = fronts;
    for (const node of nodes) {
      const next =
        node.kind === 'choice'
          ? node.alternatives.flatMap((alternative) => this.follow(current, alternative))
          : current.map((front) => this.#followOne(front, node));
      current = this.#merge(next);
    }
    return current;
  }

  /** The state in which the whole pattern has matched. */
  lastState(end: Front): number {
    if (end.position === 'two-stars') return this.#loop('anything', end.componentStart);
    if (end.position !== 'component') return end.state;
    const inFolder = this.#loop('anything');
    this.#read(end.state, 'anything', inFolder);
    return inFolder;
  }

  #followOne(front: Front, node: Exclude<GlobNode, { kind: 'choice' }>): Front {
    if (node.kind === 'slash') return this.#followSlash(front);
    const anchor = front.anchor === 'perhaps' ? 'anchored' : front.anchor;
    if (node.kind === 'character') {
      const state = this.newState();
      this.#read(front.state, node.set, state);
      return { position: 'inside', anchor, state, componentStart: state };
    }
    if (front.position === 'star' || front.position === 'two-stars')
      return { ...front, position: 'two-stars' };
    const state = this.#loop(NOT_SLASH, front.state);
    const position = front.position === 'inside' ? 'inside' : 'star';
    return { position, anchor, state, componentStart: front.state };
  }

  #followSlash(front: Front): Front {
    if (front.position === 'beginning') return { ...front, position: 'component', anchor: 'anchored' };
    const state = this.newState();
    if (front.position === 'two-stars') this.silent[front.componentStart]!.push(this.passFolders(state));
    else this.#read(front.state, 'slash', state);
    const anchor = front.anchor === 'none' ? 'perhaps' : 'anchored';
    return { position: 'component', anchor, state, componentStart: state };
  }

  /** A state with a loop over these characters. */
  #loop(pass: Passable, ...from: number[]): number {
    const state = this.newState(from);
    this.#read(state, pass, state);
    return state;
  }

  #read(from: number, pass: Passable, to: number): void {
    this.reading[from]!.push({ pass, to });
  }

  /** Merges fronts at the same kind of position, so that choices add up instead of multiplying. */
  #merge(fronts: Front[]): Front[] {
    const kinds = Map.groupBy(fronts, ({ position, anchor }) => `${position} ${anchor}`);
    return Array.from(kinds.values(), (same) =>
      same.length === 1
        ? same[0]!
        : {
            ...same[0]!,
            state: this.newState(same.map(({ state }) => state)),
            componentStart: this.newState(same.map(({ componentStart }) => componentStart)),
          },
    );
  }
}
