/**
 * Parses a glob pattern. Where other tools disagree, it follows what people type and paste:
 * - Unclosed `[` and `{` are literal, and so are braces without a comma: `{{name}}` is a template folder, not a choice.
 * - A comma or a brace inside square brackets is a character of that class.
 * - `\/` is an ordinary slash. A class never matches a slash, even if it lists one.
 * - A range that is out of order and a trailing backslash are errors.
 */

export type CodePointRange = [first: number, last: number];

export type GlobNode =
  /** One character except the slash. */
  | { kind: 'character'; set: CharacterSet }
  | { kind: 'star' }
  | { kind: 'slash' }
  | { kind: 'choice'; alternatives: GlobNode[][] };

export interface CharacterSet {
  ranges: CodePointRange[];
  /** Whether it matches what is outside the ranges. */
  negated: boolean;
}

export class GlobSyntaxError extends Error {}

const ANY_CHARACTER: GlobNode = { kind: 'character', set: { ranges: [], negated: true } };
const STAR: GlobNode = { kind: 'star' };
const SLASH: GlobNode = { kind: 'slash' };

type Token = GlobNode | { kind: 'open' } | { kind: 'comma' } | { kind: 'close' };

export function parseGlob(pattern: string): GlobNode[] {
  const tokens = readTokens(Array.from(pattern));
  const choices = findChoices(tokens);
  const levels: GlobNode[][][] = [[[]]];
  for (const [index, token] of tokens.entries()) {
    const alternatives = levels.at(-1)!;
    if (token.kind !== 'open' && token.kind !== 'comma' && token.kind !== 'close') {
      alternatives.at(-1)!.push(token);
    } else if (!choices.has(index)) {
      alternatives.at(-1)!.push(literal({ open: '{', comma: ',', close: '}' }[token.kind]));
    } else if (token.kind === 'open') {
      levels.push([[]]);
    } else if (token.kind === 'comma') {
      alternatives.push([]);
    } else {
      levels.pop();
      levels.at(-1)!.at(-1)!.push({ kind: 'choice', alternatives });
    }
  }
  return levels[0]![0]!;
}

function readTokens(points: string[]): Token[] {
  const tokens: Token[] = [];
  /** Once a class is unclosed, all later ones are: looking again would take quadratic time. */
  let classesMayEnd = true;
  let stars = 0;
  for (let at = 0; at < points.length; at += 1) {
    const sign = points[at]!;
    stars = sign === '*' ? stars + 1 : 0;
    if (sign === '*') {
      // More than two stars in a row mean the same as two.
      if (stars <= 2) tokens.push(STAR);
    } else if (sign === '?') tokens.push(ANY_CHARACTER);
    else if (sign === '/') tokens.push(SLASH);
    else if (sign === '{') tokens.push({ kind: 'open' });
    else if (sign === ',') tokens.push({ kind: 'comma' });
    else if (sign === '}') tokens.push({ kind: 'close' });
    else if (sign === '\\') {
      at += 1;
      const escaped = points[at];
      if (escaped === undefined) throw new GlobSyntaxError('it ends with a backslash');
      tokens.push(escaped === '/' ? SLASH : literal(escaped));
    } else {
      const found = sign === '[' && classesMayEnd ? readClass(points, at) : undefined;
      if (sign === '[' && !found) classesMayEnd = false;
      tokens.push(found ? { kind: 'character', set: found.set } : literal(sign));
      at = found?.end ?? at;
    }
  }
  return tokens;
}

/** The set of the class that opens at `start`, and the position of its closing bracket; undefined when it is unclosed. */
function readClass(points: string[], start: number): { set: CharacterSet; end: number } | undefined {
  const ranges: CodePointRange[] = [];
  let at = start + 1;
  const negated = points[at] === '!' || points[at] === '^';
  if (negated) at += 1;
  const take = () => {
    if (points[at] === '\\') at += 1;
    at += 1;
    return points[at - 1]?.codePointAt(0) ?? 0;
  };
  let backwards: string | undefined;
  for (let isFirst = true; at < points.length; isFirst = false) {
    if (points[at] === ']' && !isFirst) {
      if (backwards) throw new GlobSyntaxError(`the range ${backwards} is out of order`);
      return { set: { ranges, negated }, end: at };
    }
    const from = at;
    const first = take();
    const isRange = points[at] === '-' && at + 1 < points.length && points[at + 1] !== ']';
    if (isRange) at += 1;
    const last = isRange ? take() : first;
    if (last < first) backwards ??= points.slice(from, at).join('');
    ranges.push([first, last]);
  }
  return undefined;
}

function literal(sign: string): GlobNode {
  const codePoint = sign.codePointAt(0)!;
  return { kind: 'character', set: { ranges: [[codePoint, codePoint]], negated: false } };
}

/** The tokens that form choices: closed braces that contain their own comma, and those commas. */
function findChoices(tokens: Token[]): Set<number> {
  const choices = new Set<number>();
  const open: Array<{ at: number; commas: number[] }> = [];
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === 'open') open.push({ at, commas: [] });
    else if (kind === 'comma') open.at(-1)?.commas.push(at);
    else if (kind === 'close') {
      const brace = open.pop();
      if (!brace || brace.commas.length === 0) continue;
      for (const part of [brace.at, ...brace.commas, at]) choices.add(part);
    }
  }
  return choices;
}
