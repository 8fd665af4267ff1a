/** `@import`, `@use` and `@forward` of moved style sheets. */
import { posix } from 'node:path';
import { folderOf } from '../../code/resolve-module.ts';
import type { FoundLine } from '../../code/review-code.ts';
import { hasPathEnd, type Moved, type Places, type Use } from './places.ts';

const RULE = /^\s*@(?:import|use|forward)\s+([^;]+)/;
/** How folders to look in are given to Sass and Less. */
const LOAD_PATHS = ['includePaths', 'loadPaths', 'load-path', 'load_paths', 'include-path'];
const NAMED = /(["'])([^"']+)\1/g;

export async function usesInStyle(places: Places, lines: FoundLine[]): Promise<Use[]> {
  const found: Use[] = [];
  for (const line of lines) {
    for (const [, , name] of RULE.exec(line.text)?.[1]?.matchAll(NAMED) ?? []) {
      const meant = await brokenStyle(places, line.path, name!);
      if (meant) found.push({ moved: meant, line });
    }
  }
  return found;
}

async function brokenStyle(
  { code, head, moved }: Places,
  path: string,
  name: string,
): Promise<Moved | undefined> {
  if (/^(~|\/|@|\w+:)/.test(name)) return undefined;
  const paths = filesOf(posix.join(folderOf(path), name));
  const meant = paths.flatMap((each) => moved.get(each) ?? [])[0];
  if (!meant || paths.some((each) => head.has(each))) return undefined;
  if (name.startsWith('.') || !filesOf(name).some((each) => hasPathEnd(head, each))) return meant;
  // Without a dot it is looked for in other folders, too, if something names them.
  const { lines } = await code.find('head', LOAD_PATHS, { wholeWords: false, maxLines: 1 });
  return lines.length === 0 ? meant : undefined;
}

function filesOf(path: string): string[] {
  const [folder, name] = [folderOf(path), path.slice(folderOf(path).length)];
  return [path, `${folder}_${name}`, `${path}/index`, `${path}/_index`].flatMap((each) => [
    each,
    ...['.css', '.scss', '.sass', '.less'].map((ending) => `${each}${ending}`),
  ]);
}
