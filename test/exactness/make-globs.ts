/** Globs derived from real paths, each with an independent regular expression for the paths it matches. */
import type { Random } from './random.ts';

export interface MadeGlob {
  glob: string;
  matches(path: string): boolean;
}

/** `paths` are bytes, one to a character. */
export function makeGlob(random: Random, paths: string[]): MadeGlob {
  const names = readable(random.pick(paths)).split('/');
  const from = random.below(names.length);
  const segments = random.chance(0.4) ? [names.at(-1)!] : names.slice(random.chance(0.5) ? 0 : from);
  const parts = segments.map((name) => makeSegment(random, name));
  if (parts.length > 1 && random.chance(0.4)) parts[random.below(parts.length - 1)] = ANY_FOLDERS;
  const isAnchored = random.chance(0.2);
  const glob = `${isAnchored ? '/' : ''}${parts.map(([source]) => source).join('/')}`;
  const body = parts
    .map(([, expression], index) => {
      if (parts[index] === ANY_FOLDERS) return expression;
      return index < parts.length - 1 ? `${expression}/` : expression;
    })
    .join('');
  const isAboutNames = parts.length === 1 && !isAnchored;
  const expression = new RegExp(`^${isAboutNames ? '(?:.*/)?' : ''}${body}$`, 'su');
  return { glob, matches: (path) => expression.test(readable(path)) };
}

type Part = readonly [source: string, expression: string];
const ANY_FOLDERS: Part = ['**', '(?:[^/]+/)*'];

function makeSegment(random: Random, name: string): Part {
  const signs = Array.from(name);
  const [at, end] = [random.below(signs.length), random.below(signs.length + 1)];
  const [before, after] = [signs.slice(0, at).join(''), signs.slice(Math.max(at, end)).join('')];
  const around = (source: string, expression: string): Part => [
    plainGlob(before) + source + plainGlob(after),
    plainExpression(before) + expression + plainExpression(after),
  ];
  const sign = /^[a-zA-Z]$/.test(signs[at]!) ? signs[at]! : 'q';
  const rest = signs.slice(at + 1).join('');
  const one = (source: string, expression: string): Part => [
    plainGlob(before) + source + plainGlob(rest),
    plainExpression(before) + expression + plainExpression(rest),
  ];
  const forms: (() => Part)[] = [
    () => [plainGlob(name), plainExpression(name)],
    () => ['*', '[^/]*'],
    () => around('*', '[^/]*'),
    () => one('?', '[^/]'),
    () => one(`[${sign}-z]`, `[${sign}-z]`),
    () => one(`[!${sign}]`, `[^${sign}/]`),
    () => around('{x,*}', '(?:x|[^/]*)'),
    () => [`{${plainGlob(name)},zz}`, `(?:${plainExpression(name)}|zz)`],
  ];
  return random.pick(forms)();
}

/** Escapes every character with a meaning in globs. Bytes that aren't characters can't be written in one. */
function plainGlob(text: string): string {
  return text.replaceAll(/[\\*?[\]{},!]/g, '\\$&').replaceAll(/[\udc80-\udcff]/gu, '?');
}

function plainExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(/[\udc80-\udcff]/gu, '[^/]');
}

/** The path as text, with a placeholder for each byte that isn't part of a character. */
function readable(path: string): string {
  const text = Buffer.from(path, 'latin1').toString();
  if (!text.includes('\ufffd')) return text;
  return path.replaceAll(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}
