/** The files of a commit whose paths match a glob, in byte order. */
import type { FoundFiles } from '../core/code-reader.ts';
import { showPath } from '../core/path-text.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { type CommitFiles, pathOf } from './commit-files.ts';
import { type CompiledGlob, compileGlob } from './glob/index.ts';
import type { RepositoryReader } from './repository-reader.ts';

/** What a glob's automaton has learned is of use the next time. */
const BYTES_A_GLOB = 100_000;
const known = createBoundedCache<CompiledGlob>(50 * BYTES_A_GLOB);

export async function findFiles(
  reader: RepositoryReader,
  query: { commit: string; glob: string; most: number },
): Promise<FoundFiles | { kind: 'bad_pattern'; message: string }> {
  const compiled = known.get(query.glob) ?? compileGlob(query.glob);
  known.set(query.glob, compiled, BYTES_A_GLOB);
  if (!compiled.ok) return { kind: 'bad_pattern', message: compiled.message };
  const { glob } = compiled;
  const files = await reader.filesOf(query.commit);
  const items: string[] = [];
  let total = 0;
  eachFileWith(files, requiredText(query.glob), (file) => {
    if (!glob.matches(files.paths, files.pathOffsets[file]!, files.pathOffsets[file + 1]!)) return;
    total += 1;
    if (total <= query.most) items.push(showPath(pathOf(files, file)));
  });
  return { items, total };
}

/**
 * The longest text that every path which matches must hold; slashes at its ends may stand for nothing. None for a glob
 * with an ending of its own: endings are looked at first, and that is faster still.
 */
export function requiredText(glob: string): Buffer {
  if (/[{[\\]/.test(glob) || !/[*?]$/.test(glob)) return Buffer.alloc(0);
  const [start, ...others] = glob.split(/[*?]+/).map((part) => part.replaceAll(/^(\.?\/)+|\/+$/g, ''));
  const longest = others.reduce((most, part) => (part.length > most.length ? part : most), '');
  // The folder that a glob begins with is often a large one, and other paths are told apart at their first byte.
  return Buffer.from(longest || start!);
}

/** Files whose paths hold a text, found in all paths at once: that is much faster than looking at each. */
function eachFileWith(
  { count, pathOffsets, paths }: CommitFiles,
  text: Buffer,
  take: (file: number) => void,
): void {
  if (text.length === 0) {
    for (let file = 0; file < count; file += 1) take(file);
    return;
  }
  let file = 0;
  for (let at = paths.indexOf(text); at !== -1; at = paths.indexOf(text, at)) {
    while (pathOffsets[file + 1]! <= at) file += 1;
    const end = pathOffsets[file + 1]!;
    // A text that begins in one path and ends in the next is in neither.
    if (at + text.length <= end) {
      take(file);
      at = end;
    } else at += 1;
  }
}
