/**
 * Compiles a pattern to an automaton that reads each character of a path once, so that no pattern can take exponentially long.
 * Sets of states are made when they are first reached, and forgotten when there are too many.
 */
import { BadPattern, type CharacterSet, type Expression, holds } from './expression.ts';

/** Larger ones say that they are too large. */
const MAX_STATES = 2000;
const MAX_KEPT_SETS = 200;
/** Finding the states of a set takes longer than following a set that is known. */
const CLOSURE_STEPS = 5;

/** How many steps are left for all patterns and paths together. */
export interface Budget {
  steps: number;
}

export class BudgetSpent extends Error {}

interface State {
  /** Consumes a character of the set. */
  reads: { set: CharacterSet; to: number } | undefined;
  /** Transitions that consume nothing, at the start or end of the path alone or anywhere. */
  silent: { to: number; only?: 'start' | 'end' }[];
}

/** States that are reached together. */
interface StateSet {
  states: number[];
  accepts: boolean;
  acceptsAtEnd: boolean;
  next: Map<number, StateSet>;
}

export type Matcher = (path: string, budget: Budget) => boolean;

/** `whole`: the pattern must match the whole path; else it may match a part, unless it says where. */
export function compilePattern(expression: Expression, { whole }: { whole: boolean }): Matcher {
  const states: State[] = [];
  const start = addState(states);
  const accepting = build(states, expression, start);
  /** Whether a match can begin after the first character. */
  const searches =
    !whole &&
    closure([start], (only) => only !== 'start', { steps: Infinity }).some(
      (state) => states[state]!.reads !== undefined || state === accepting,
    );
  let kept = new Map<string, StateSet>();

  return (path, budget) => {
    let current = reach([start], { atStart: true }, budget);
    for (const character of path) {
      if (current.accepts && !whole) return true;
      if (current.states.length === 0 && !searches) return false;
      const code = character.codePointAt(0)!;
      budget.steps -= 1;
      if (budget.steps < 0) throw new BudgetSpent();
      let next = current.next.get(code);
      if (!next) {
        const targets = searches ? [start] : [];
        for (const state of current.states) {
          const { reads } = states[state]!;
          if (reads && holds(reads.set, code)) targets.push(reads.to);
        }
        next = reach(targets, { atStart: false }, budget);
        current.next.set(code, next);
      }
      current = next;
    }
    return current.acceptsAtEnd;
  };

  function reach(from: number[], { atStart }: { atStart: boolean }, budget: Budget): StateSet {
    const reached = closure(from, (only) => !only || (only === 'start' && atStart), budget);
    const key = `${atStart} ${reached.join(' ')}`;
    const known = kept.get(key);
    if (known) return known;
    const atEnd = closure(reached, (only) => only !== 'start' || atStart, budget);
    const made: StateSet = {
      states: reached,
      accepts: reached.includes(accepting),
      acceptsAtEnd: atEnd.includes(accepting),
      next: new Map(),
    };
    // Sets that are no longer kept are freed as soon as no path is read with them.
    if (kept.size >= MAX_KEPT_SETS) {
      for (const set of kept.values()) set.next.clear();
      kept = new Map();
    }
    kept.set(key, made);
    return made;
  }

  function closure(from: number[], may: (only?: 'start' | 'end') => boolean, budget: Budget): number[] {
    const seen = new Set(from);
    for (const state of seen) for (const { only, to } of states[state]!.silent) if (may(only)) seen.add(to);
    budget.steps -= CLOSURE_STEPS * seen.size;
    if (budget.steps < 0) throw new BudgetSpent();
    return [...seen].sort((a, b) => a - b);
  }
}

function addState(states: State[]): number {
  if (states.length >= MAX_STATES) throw new BadPattern('it is too large');
  return states.push({ reads: undefined, silent: [] }) - 1;
}

/** Adds the states of an expression after `from`, and returns the one that is reached when it has matched. */
function build(states: State[], expression: Expression, from: number): number {
  switch (expression.kind) {
    case 'set': {
      const before = states[from]!.reads ? addState(states) : from;
      if (before !== from) states[from]!.silent.push({ to: before });
      const after = addState(states);
      states[before]!.reads = { set: expression.set, to: after };
      return after;
    }
    case 'start':
    case 'end': {
      const after = addState(states);
      states[from]!.silent.push({ to: after, only: expression.kind });
      return after;
    }
    case 'sequence':
      return expression.parts.reduce((at, part) => build(states, part, at), from);
    case 'choice': {
      const after = addState(states);
      for (const alternative of expression.alternatives)
        states[build(states, alternative, from)]!.silent.push({ to: after });
      return after;
    }
    case 'repeat':
      return buildRepeat(states, expression, from);
  }
}

function buildRepeat(
  states: State[],
  { max, min, part }: Expression & { kind: 'repeat' },
  from: number,
): number {
  let at = from;
  for (let count = 0; count < min; count++) at = build(states, part, at);
  const after = addState(states);
  if (max === Infinity) {
    const loop = addState(states);
    states[at]!.silent.push({ to: loop });
    states[build(states, part, loop)]!.silent.push({ to: loop });
    states[loop]!.silent.push({ to: after });
    return after;
  }
  for (let count = min; count < max; count++) {
    states[at]!.silent.push({ to: after });
    const before = addState(states);
    states[at]!.silent.push({ to: before });
    at = build(states, part, before);
  }
  states[at]!.silent.push({ to: after });
  return after;
}
