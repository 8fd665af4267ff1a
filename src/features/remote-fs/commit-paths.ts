/** The paths of a search of commits, as git takes them. */
import { badQuery, type FilterValues } from './accept-query.ts';

export function pathspecsFor({ unwanted, wanted }: FilterValues): string[] {
  return [
    ...wanted.flatMap((value) => pathspecs(value, '')),
    ...unwanted.flatMap((value) => pathspecs(value, ',exclude')),
  ];
}

/** With a slash other than at its end, a path starts at the root; without wildcards, it is a file or a folder. */
function pathspecs(value: string, magic: string): string[] {
  if (/[{}]/.test(value.replaceAll(/\\./g, '')))
    throw badQuery('has braces in path:, which a search of commits doesn’t know: use path: several times');
  const path = value.replace(/^\.?\//, '').replace(/\/+$/, '');
  const isAnchored = /^\.?\//.test(value) || path.includes('/');
  const glob = `${isAnchored ? '' : '**/'}${path}`;
  const write = (pattern: string) => `:(top,glob${magic})${pattern}`;
  if (path === '') return [write('**')];
  if (value.endsWith('/')) return [write(`${glob}/**`)];
  return /[*?[]/.test(path) ? [write(glob)] : [write(glob), write(`${glob}/**`)];
}
