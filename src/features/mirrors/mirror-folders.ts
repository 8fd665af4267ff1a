/** The folders of this node's mirrors: `repositories/<id>/` in the data folder, each with a lock next to it. */
import { readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';

export interface MirrorFolder {
  /** A bare repository; missing before the first clone. */
  gitDir: string;
  indexFolder: string;
  factsFolder: string;
}

export interface MirrorFolders {
  of(repositoryId: string): MirrorFolder & { folder: string; lockFile: string };
  /** The ids of the repositories that have files here. */
  ids(): string[];
  make(repositoryId: string): Promise<void>;
  /** Moves the folder away atomically, then deletes its content. */
  remove(repositoryId: string): Promise<void>;
  /** Deletes folders that a killed process left half removed. */
  removeLeftovers(): Promise<void>;
}

const REMOVED = '.removed-';

export function createMirrorFolders(dataDir: string): MirrorFolders {
  const root = join(dataDir, 'repositories');
  const of = (repositoryId: string) => {
    const folder = join(root, repositoryId);
    return {
      folder,
      gitDir: join(folder, 'mirror.git'),
      indexFolder: join(folder, 'index'),
      factsFolder: join(folder, 'facts'),
      lockFile: join(root, `${repositoryId}.lock`),
    };
  };
  return {
    of,
    ids: () => [...new Set(namesIn(root).map((name) => name.replace(/\.lock$/, '')))].filter(isUuid),
    async make(repositoryId) {
      const create = () => mkdir(of(repositoryId).folder, { recursive: true, mode: 0o700 });
      // It fails if another process removes the parent folder in the meantime.
      await create().catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        return create();
      });
    },
    async remove(repositoryId) {
      const { folder, lockFile } = of(repositoryId);
      const aside = join(root, `${REMOVED}${repositoryId}-${process.pid}-${Date.now()}`);
      await rename(folder, aside).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
      await rm(aside, { recursive: true, force: true });
      await rm(lockFile, { force: true });
    },
    async removeLeftovers() {
      for (const name of await readdir(root).catch(() => [])) {
        if (name.startsWith(REMOVED)) await rm(join(root, name), { recursive: true, force: true });
      }
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
