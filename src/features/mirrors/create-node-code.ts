/** All code of this node: the mirrors, their indexes, and the reader that operations have. */

import { createCodeSearch } from '../../engines/search/index.ts';
import type { CodeReader } from '../../platform/core/code-reader.ts';
import { type CodeReaderLimits, createCodeReader } from './create-code-reader.ts';
import { createMirrors, type MirrorSettings, type Mirrors } from './create-mirrors.ts';
import type { IndexHeads } from './refresh-mirror.ts';

export interface NodeCode extends Mirrors {
  /** Makes the first search as fast as the others. */
  warmUp(): void;
  code: CodeReader;
}

export function createNodeCode(
  services: Omit<Parameters<typeof createMirrors>[0], 'settings'> & {
    settings: MirrorSettings & { indexDiskBytes: number; searchTimeoutMs: number };
    limits: Omit<CodeReaderLimits, 'searchTimeoutMs'>;
  },
): NodeCode {
  const { log, settings } = services;
  const search = createCodeSearch({ log, indexDiskBytes: settings.indexDiskBytes });
  /** The mirrors that the query process may hold open. */
  const opened = new Set<string>();
  const ask: typeof search.ask = (name, folders, asks, signal) => {
    opened.add(folders.gitDir);
    return search.ask(name, folders, asks, signal);
  };
  const index: IndexHeads = (repositoryId, commits, onProgress, signal) =>
    search.index(mirrors.folderOf(repositoryId), commits, {
      signal,
      onProgress: ({ bytes, done, total }) =>
        onProgress({
          percent: total === 0 ? 100 : Math.floor((done / total) * 100),
          objects: done,
          totalObjects: total,
          bytes,
        }),
    });
  const mirrors = createMirrors({
    index,
    async onRemoved(folders, signal) {
      // It must not be started for nothing.
      if (opened.delete(folders.gitDir)) await search.ask('forget', folders, {}, signal);
    },
    ...services,
  });
  const { searchTimeoutMs } = settings;
  return {
    ...mirrors,
    warmUp: search.warmUp,
    code: createCodeReader({
      mirrors,
      search: { ...search, ask },
      limits: { ...services.limits, searchTimeoutMs },
    }),
    async close() {
      await mirrors.close();
      await search.close();
    },
  };
}
