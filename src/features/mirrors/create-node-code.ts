/** Creates everything that serves code on this node: mirrors, indexes, facts, and the reader for operations. */

import { createCodeFacts } from '../../engines/facts/index.ts';
import type { CodeReviewer } from '../../engines/review/contract/code-reviewer.ts';
import { createReviewWork } from '../../engines/review/index.ts';
import { createCodeSearch, type SearchSettings } from '../../engines/search/index.ts';
import type { CodeReader } from '../../platform/core/ports/code-reader.ts';
import type { CodeWriter } from '../../platform/core/ports/code-writer.ts';
import { createCodeReader } from './create-code-reader.ts';
import { createCodeWriter } from './create-code-writer.ts';
import { createMirrors, type MirrorSettings, type Mirrors } from './create-mirrors.ts';
import type { MirrorFolder } from './mirror-folders.ts';
import type { ExtractHead, IndexHeads } from './refresh-mirror.ts';

export interface NodeCode extends Mirrors {
  /** Starts the search process so that the first search is fast. */
  warmUp(): void;
  code: CodeReader & CodeReviewer & CodeWriter;
}

export function createNodeCode(
  services: Omit<Parameters<typeof createMirrors>[0], 'settings'> & {
    settings: MirrorSettings & SearchSettings;
  },
): NodeCode {
  const { log, settings } = services;
  const search = createCodeSearch({ log, settings });
  const facts = createCodeFacts({ log, settings });
  const reviews = createReviewWork({ log });
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
  const extract: ExtractHead = (repositoryId, commit, onProgress, signal) =>
    facts.extract(mirrors.folderOf(repositoryId), commit, {
      signal,
      onProgress: ({ done, total }) =>
        onProgress({
          percent: total === 0 ? 100 : Math.floor((done / total) * 100),
          objects: done,
          totalObjects: total,
          bytes: null,
        }),
    });
  const onRemoved = async (folders: MirrorFolder, signal: AbortSignal) => {
    await Promise.all([search.forget(folders, signal), facts.forget(folders, signal)]);
  };
  const mirrors = createMirrors({ index, extract, onRemoved, ...services });
  return {
    ...mirrors,
    warmUp: search.warmUp,
    code: {
      ...createCodeReader({ mirrors, search, facts, reviews }),
      ...createCodeWriter({ ...services, mirrors }),
    },
    async close() {
      await mirrors.close();
      await Promise.all([search.close(), facts.close(), reviews.close()]);
    },
  };
}
