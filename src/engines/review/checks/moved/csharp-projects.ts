/** Moved projects of .NET that other projects and solutions still name. */
import { posix } from 'node:path';
import { folderOf } from '../../code/resolve-module.ts';
import type { Moved, Places, Use } from './places.ts';

const PROJECT = /\.(cs|fs|vb)proj$/;
const NAMED = /(?:Include="|Path="|^Project\([^)]*\) = "[^"]*", ")([^"$*;]+\.(?:cs|fs|vb)proj)"/;

export async function usesOfProjects({ code, head, moved }: Places): Promise<Use[]> {
  const projects = new Map<string, Moved>();
  for (const each of moved.values()) if (PROJECT.test(each.from)) projects.set(each.from, each);
  if (projects.size === 0) return [];
  const names = [...new Set([...projects.keys()].map((path) => posix.basename(path)))];
  const { lines } = await code.find('head', names, { wholeWords: false });
  return lines.flatMap((line) => {
    const written = /\.(\w+proj|props|targets|slnx?)$/.test(line.path)
      ? NAMED.exec(line.text)?.[1]
      : undefined;
    if (written === undefined) return [];
    const path = posix.join(folderOf(line.path), written.replaceAll('\\', '/'));
    const meant = projects.get(path);
    return meant && !head.has(path) ? [{ moved: meant, line }] : [];
  });
}
