/** Creates everything that serves code on this node: mirrors, indexes, and the reader for operations. */
import { createCodeSearch, type SearchSettings } from '../../engines/search/index.ts';
import type { CodeReader } from '../../platform/core/code-reader.ts';
import { createCodeReader } from './create-code-reader.ts';
import { createMirrors, type MirrorSettings, type Mirrors } from './create-mirrors.ts';
import type { IndexHeads } from './refresh-mirror.ts';

export interface NodeCode extends Mirrors {
  /** Starts the search process so that the first search is fast. */
  warmUp(): void;
  code: CodeReader;
}

export function createNodeCode(
  services: Omit<Parameters<typeof createMirrors>[0], 'settings'> & {
    settings: MirrorSettings & SearchSettings;
  },
): NodeCode {
  const { log, settings } = services;
  const search = createCodeSearch({ log, settings });
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
  const mirrors = createMirrors({ index, onRemoved: search.forget, ...services });
  return {
    ...mirrors,
    warmUp: search.warmUp,
    code: createCodeReader({ mirrors, search }),
    async close() {
      await mirrors.close();
      await search.close();
    },
  };
}
