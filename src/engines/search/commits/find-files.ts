/** Finds the files of a commit whose paths match a glob, in byte order. */
import { isAscii } from 'node:buffer';
import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { showPath } from '../../../platform/core/text/path-text.ts';
import type { Glob } from '../glob/index.ts';
import { type CommitFiles, pathOf } from './commit-files.ts';
import { matchInFolders } from './match-in-folders.ts';
import { knownGlob } from './path-filter.ts';
import type { RepositoryReader } from './repository-reader.ts';

const QUOTE = 34;

export async function findFiles(
  reader: RepositoryReader,
  query: CodeRequests['findFiles']['params'],
): Promise<CodeRequests['findFiles']['result']> {
  const compiled = knownGlob(query.glob);
  if (!compiled.ok) return { kind: 'bad_pattern', message: compiled.message };
  const files = await reader.filesOf(query.commit);
  const found =
    (compiled.glob.inFolders && matchInFolders(files, compiled.glob.inFolders)) ??
    matchEach(files, compiled.glob, requiredText(query.glob));
  return { items: showPaths(files, found.slice(0, query.limit)), total: found.length };
}

/** Nearly all paths are plain; one check covers them all. */
function showPaths(files: CommitFiles, shown: number[]): string[] {
  const { pathOffsets, paths } = files;
  if (shown.length === 0) return [];
  const isPlain =
    isAscii(paths.subarray(pathOffsets[shown[0]!], pathOffsets[shown.at(-1)! + 1])) &&
    shown.every((file) => paths[pathOffsets[file]!] !== QUOTE);
  if (!isPlain) return shown.map((file) => showPath(pathOf(files, file)));
  return shown.map((file) => paths.toString('latin1', pathOffsets[file], pathOffsets[file + 1]));
}

/**
 * The longest text that every matching path must contain; slashes at its ends may match nothing. None for a glob
 * with a fixed ending: checking that first is even faster.
 */
export function requiredText(glob: string): Buffer {
  if (/[{[\\]/.test(glob) || !/[*?]$/.test(glob)) return Buffer.alloc(0);
  const parts = glob.split(/[*?]+/).map((part) => part.replaceAll(/^(\.?\/)+|\/+$/g, ''));
  return Buffer.from(parts.reduce((most, part) => (part.length > most.length ? part : most)));
}

/** Checks only files whose paths contain a text, found in all paths at once, which is much faster. */
function matchEach({ count, pathOffsets, paths }: CommitFiles, glob: Glob, text: Buffer): number[] {
  const found: number[] = [];
  if (text.length === 0) {
    for (let file = 0; file < count; file += 1) {
      if (glob.matches(paths, pathOffsets[file]!, pathOffsets[file + 1]!)) found.push(file);
    }
    return found;
  }
  let file = 0;
  for (let at = paths.indexOf(text); at !== -1; at = paths.indexOf(text, at)) {
    while (pathOffsets[file + 1]! <= at) file += 1;
    const end = pathOffsets[file + 1]!;
    // A hit across the boundary of two paths is in neither.
    if (at + text.length <= end) {
      if (glob.matches(paths, pathOffsets[file]!, end)) found.push(file);
      at = end;
    } else at += 1;
  }
  return found;
}
