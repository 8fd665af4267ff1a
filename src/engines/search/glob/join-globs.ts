/** One glob that matches what any of several globs matches. */
import { type CharacterSet, type GlobNode, parseGlob } from './parse-glob.ts';

/** They must be valid. Each is written anew, because unclosed brackets in one must not swallow the next. */
export function joinGlobs(patterns: string[]): string {
  const [first, ...others] = patterns.map((pattern) => parseGlob(pattern.replace(/^\.\//, '/')));
  if (!first) throw new Error('at least one glob is needed');
  return others.length === 0 ? write(first) : write([{ kind: 'choice', alternatives: [first, ...others] }]);
}

function write(nodes: GlobNode[]): string {
  return nodes.map(writeNode).join('');
}

function writeNode(node: GlobNode): string {
  if (node.kind === 'star') return '*';
  if (node.kind === 'slash') return '/';
  if (node.kind === 'character') return writeSet(node.set);
  return `{${node.alternatives.map(write).join(',')}}`;
}

function writeSet({ negated, ranges }: CharacterSet): string {
  if (ranges.length === 0) return '?';
  const [[first, last]] = ranges as [[number, number]];
  if (!negated && ranges.length === 1 && first === last) return escapeSign(first);
  const members = ranges.map(([from, to]) =>
    from === to ? escapeSign(from) : `${escapeSign(from)}-${escapeSign(to)}`,
  );
  return `[${negated ? '!' : ''}${members.join('')}]`;
}

/** `\/` outside of a class would be a slash, but a slash is never a character of its own. */
function escapeSign(codePoint: number): string {
  const sign = String.fromCodePoint(codePoint);
  return /[\w.]/.test(sign) ? sign : `\\${sign}`;
}
