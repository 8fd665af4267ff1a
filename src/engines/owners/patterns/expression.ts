/** The parts of patterns of paths, before they are compiled. */

export interface CharacterSet {
  /** First and last code points, both included. */
  ranges: [number, number][];
  negated: boolean;
}

export type Expression =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; alternatives: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number }
  | { kind: 'start' }
  | { kind: 'end' };

/** A pattern that can't be read, with the reason as a clause. */
export class BadPattern extends Error {}

export const ANYTHING: Expression = { kind: 'set', set: { ranges: [], negated: true } };
const NOT_SLASH: Expression = { kind: 'set', set: { ranges: [[47, 47]], negated: true } };

export function literal(text: string): Expression {
  return sequence(
    Array.from(text, (character): Expression => {
      const code = character.codePointAt(0)!;
      return { kind: 'set', set: { ranges: [[code, code]], negated: false } };
    }),
  );
}

export function sequence(parts: Expression[]): Expression {
  return { kind: 'sequence', parts };
}

export function optional(part: Expression): Expression {
  return { kind: 'repeat', part, min: 0, max: 1 };
}

/** Any number of whole folders, with the slash after each. */
export const FOLDERS = optional(
  sequence([{ kind: 'repeat', part: ANYTHING, min: 0, max: Infinity }, literal('/')]),
);
export const SOMETHING: Expression = { kind: 'repeat', part: ANYTHING, min: 1, max: Infinity };
export const IN_NAME: Expression = { kind: 'repeat', part: NOT_SLASH, min: 0, max: Infinity };
export const ONE_IN_NAME = NOT_SLASH;

export function holds(set: CharacterSet, code: number): boolean {
  return set.ranges.some(([first, last]) => code >= first && code <= last) !== set.negated;
}
