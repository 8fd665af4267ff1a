/** The repositories that a process reads, which stay open until others are used. */
import { statSync } from 'node:fs';
import { MissingObject } from './commits/commit-files.ts';
import { openRepository, type ReaderCaches, type RepositoryReader } from './commits/repository-reader.ts';
import type { RepositoryFolders } from './messages.ts';

export interface OpenReaders {
  of(folders: RepositoryFolders): RepositoryReader;
  forget(gitDir: string): void;
}

export function openReaders(maxOpen: number, caches?: ReaderCaches): OpenReaders {
  /** The least recently used comes first. */
  const open = new Map<string, RepositoryReader & { folder: bigint }>();
  function forget(gitDir: string): void {
    open.get(gitDir)?.close();
    open.delete(gitDir);
  }
  return {
    of({ gitDir, indexFolder }) {
      const folder = statSync(gitDir, { throwIfNoEntry: false, bigint: true });
      if (!folder) throw new MissingObject('This node has no mirror of the repository.');
      // A repository with a new URL gets a new folder, which invalidates everything read from the old one.
      if (open.get(gitDir)?.folder !== folder.ino) forget(gitDir);
      const reader = open.get(gitDir) ?? {
        folder: folder.ino,
        ...openRepository(gitDir, indexFolder, caches),
      };
      open.delete(gitDir);
      open.set(gitDir, reader);
      if (open.size > maxOpen) forget(open.keys().next().value!);
      return reader;
    },
    forget,
  };
}
