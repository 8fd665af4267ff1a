/** Matches a glob folder by folder: paths in a folder share its state, and most folders can be skipped entirely. */

import { type FolderGlob, NOTHING } from '../glob/index.ts';
import type { CommitFiles } from './commit-files.ts';

/** The numbers of the matching files, ascending; undefined when the glob's state table was cleared along the way. */
export function matchInFolders(files: CommitFiles, glob: FolderGlob): number[] | undefined {
  const { folders, pathOffsets, paths } = files;
  const generation = glob.generation();
  const isGood = () => glob.generation() === generation;
  const found: number[] = [];
  const matchFiles = (state: number, from: number, to: number, prefixBytes: number): void => {
    if (from === to || !isGood() || !glob.hasFiles(state)) return;
    for (let file = from; file < to && isGood(); file += 1) {
      const nameStart = pathOffsets[file]! + prefixBytes;
      if (glob.matches(state, paths, nameStart, pathOffsets[file + 1]!)) found.push(file);
    }
  };
  const visit = (folder: number, state: number): void => {
    const end = folders.ends[folder]!;
    const prefixBytes = folders.prefixBytes[folder]!;
    let file = folders.from[folder]!;
    for (let inner = folder + 1; inner < end; inner = folders.ends[inner]!) {
      const [from, to] = [folders.from[inner]!, folders.to[inner]!];
      matchFiles(state, file, from, prefixBytes);
      file = to;
      // A folder's name is read from the path of its first file.
      if (from === to || !isGood()) continue;
      const start = pathOffsets[from]!;
      const next = glob.enter(state, paths, start + prefixBytes, start + folders.prefixBytes[inner]!);
      if (next !== NOTHING) visit(inner, next);
    }
    matchFiles(state, file, folders.to[folder]!, prefixBytes);
  };
  if (folders.count > 0) visit(0, glob.root());
  return isGood() ? found : undefined;
}
