/** The rows of the tree of files that is open: folders and files, each with its depth. Pure. */
import type { Folder } from './file-tree-model.ts';

export type TreeRow<File> =
  | { kind: 'folder'; depth: number; folder: Folder<File>; isOpen: boolean }
  | { kind: 'file'; depth: number; name: string; file: File };

export function treeRows<File>(root: Folder<File>, closed: ReadonlySet<string>, depth = 0): TreeRow<File>[] {
  return [
    ...root.folders.flatMap((folder): TreeRow<File>[] => {
      const isOpen = !closed.has(folder.path);
      const inside = isOpen ? treeRows(folder, closed, depth + 1) : [];
      return [{ kind: 'folder', depth, folder, isOpen }, ...inside];
    }),
    ...root.files.map(({ file, name }): TreeRow<File> => ({ kind: 'file', depth, name, file })),
  ];
}
