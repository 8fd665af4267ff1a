/** The process that answers requests for facts, on request of the service. It parses nothing. */
import { lowerPriority } from '../../platform/core/work/lower-priority.ts';
import { serveRequests } from '../processes/index.ts';
import { reasonOfFailure } from '../search/index.ts';
import { readCommitFacts } from './commit-facts.ts';
import { readFileFacts } from './file-facts.ts';
import { findSymbols } from './find-symbols.ts';
import type { FactFolders, ReadFactRequests } from './messages.ts';
import { closeRepository, readCommit } from './open-commits.ts';

/** Lower priority than the service, so that it stays responsive. */
const PRIORITY = 5;

lowerPriority(PRIORITY);

serveRequests<ReadFactRequests, FactFolders>(
  {
    findSymbols: (folders, params) =>
      readCommit(folders, params.commit, (joined) => ({
        lacking: joined.lacking,
        value: findSymbols(joined, params),
      })),
    fileFacts: (folders, { commit, path }) =>
      readCommit(folders, commit, (joined) => readFileFacts(joined, path)),
    commitFacts: (folders, { commit }, { signal }) =>
      readCommit(folders, commit, async (joined) => ({
        lacking: joined.lacking,
        value: await readCommitFacts(folders, commit, joined, signal),
      })),
    async forget({ gitDir }) {
      closeRepository(gitDir);
      return null;
    },
  },
  reasonOfFailure,
);
