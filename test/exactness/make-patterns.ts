/** Search patterns: generated ones, and ones derived from the contents of the files. */
import fc from 'fast-check';
import { patternPiece, soup } from './pattern-pieces.ts';
import type { Random } from './random.ts';

export type MakePattern = (contents: Buffer[]) => string;

const SPECIAL = /[\\.+*?()|[\]{}^$#&~ -]/g;
const MAX_FRAGMENT = 30;

export function createPatterns(random: Random, count: number, seed: number): MakePattern {
  const generated = fc.sample(patternPiece, { numRuns: count, seed }).map(({ source }) => source);
  const thrown = fc.sample(soup, { numRuns: count, seed }).map(({ source }) => source);
  let next = 0;
  return (contents) => {
    next += 1;
    const choice = random.below(10);
    if (choice < 3) return withoutLineEnds(generated[next % count]!);
    if (choice < 4) return withoutLineEnds(thrown[next % count]!);
    return fromText(random, contents);
  };
}

/** A line break in a pattern is refused before anything is searched. */
function withoutLineEnds(pattern: string): string {
  return pattern.replaceAll('\n', ' ');
}

function fromText(random: Random, contents: Buffer[]): string {
  const [one, other] = [fragment(random, contents), fragment(random, contents)];
  const [plain, second] = [escaped(one), escaped(other)];
  const [left, right, between] = fragmentsOfOneLine(random, contents);
  const forms: (() => string)[] = [
    () => one,
    () => plain,
    () => plain,
    () => `(?i)${plain}`,
    () => `(?i)${escaped(one.toUpperCase())}`,
    () => `\\b${plain}\\b`,
    () => `^\\s*${plain}`,
    () => `${plain}\\s*$`,
    () => `${plain}$`,
    () => `^${plain}$`,
    () => `${plain}|${second}`,
    () => `(?:${plain}|${second}|zzqx)`,
    () => `${plain}.*${second}`,
    () => `${escaped(left)}.*${escaped(right)}`,
    () => `${escaped(left)}.*${escaped(right)}`,
    () => `${escaped(left)}(?-u:.){${between}}${escaped(right)}`,
    () => `${escaped(left)}.{${Math.floor(between / 4)},${Math.min(between, 990)}}${escaped(right)}`,
    () => `(?i)${escaped(left)}.*${escaped(right)}.*${escaped(left)}`,
    () => `${plain}\\W+\\w+`,
    () => `${escaped(one.slice(0, 4))}[\\w--[0-9_]]+`,
    () => `${escaped(one.slice(0, 3))}[a-z&&[^aeiou]]`,
    () => `[${escaped(one.slice(0, 2))}]${escaped(one.slice(2))}`,
    () => `(?:${plain}){1,2}`,
    () => `${escaped(one.slice(0, 5))}?${escaped(one.slice(5))}`,
    () => `\\p{Lu}${escaped(one.slice(1))}`,
    () => `${escaped(one.slice(0, 3))}(?-u:.)${escaped(one.slice(4))}`,
    () => `(?i-u)${plain}`,
    () => `(?x) ${plain}`,
    () => `${plain}\\r`,
    () => `${plain}zzqx`,
    () => one.slice(0, 3),
    () => one.slice(0, 2),
    () => `^.{${random.below(90)},}${escaped(one.slice(0, 4))}`,
    () => `^$|${plain}`,
  ];
  return random.pick(forms)();
}

/** A piece of a line of one of the files. */
function fragment(random: Random, contents: Buffer[]): string {
  for (let tries = 0; tries < 20; tries += 1) {
    const content = random.pick(contents);
    if (content.length < 4) continue;
    const at = random.below(content.length - 3);
    const text = content.toString('utf8', at, at + 3 + random.below(MAX_FRAGMENT));
    // A caller can't send partial or invalid characters.
    const line = text.split('\n').find((part) => part.trim().length >= 3);
    if (line && !/[\ufffd\0]/.test(line)) return line;
  }
  return 'abc';
}

/** Two pieces of one line, and the number of bytes between them. */
function fragmentsOfOneLine(
  random: Random,
  contents: Buffer[],
): [left: string, right: string, between: number] {
  for (let tries = 0; tries < 20; tries += 1) {
    const content = random.pick(contents);
    if (content.length < 20) continue;
    const at = random.below(content.length - 12);
    const lineEnd = content.indexOf(10, at);
    const rest = (lineEnd === -1 ? content.length : lineEnd) - at - 12;
    if (rest < 0) continue;
    // Close together in most cases, so that both sides of every limit are covered.
    const between = random.below(Math.min(rest, random.pick([20, 600, 2000, 100_000])) + 1);
    const left = content.toString('utf8', at, at + 6);
    const right = content.toString('utf8', at + 6 + between, at + 12 + between);
    if (!/[\ufffd\0\n]/.test(left + right)) return [left, right, between];
  }
  return ['abc', 'kks', 1];
}

function escaped(text: string): string {
  return text.replaceAll(SPECIAL, '\\$&');
}
