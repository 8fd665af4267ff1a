/** Matches a glob folder by folder: what it says of a folder's path holds for all in it, and most folders need no look at all. */
import type { CommitFiles } from './commit-files.ts';
import { type FolderGlob, NOTHING } from './glob/index.ts';

/** The numbers of the files that match, ascending; undefined when the glob forgot its states on the way. */
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
      // The name of a folder stands in the paths of its files.
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
