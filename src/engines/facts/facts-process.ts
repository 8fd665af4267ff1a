/** The process that answers requests for facts, on request of the service. It parses nothing. */
import { lowerPriority } from '../../platform/core/lower-priority.ts';
import { serveRequests } from '../search/index.ts';
import { readCommitFacts } from './commit-facts.ts';
import { readFileFacts } from './file-facts.ts';
import { findSymbols } from './find-symbols.ts';
import type { FactFolders, ReadFactRequests } from './messages.ts';
import { closeRepository, openCommit } from './open-commits.ts';

/** Lower priority than the service, so that it stays responsive. */
const PRIORITY = 5;

lowerPriority(PRIORITY);

serveRequests<ReadFactRequests, FactFolders>({
  async findSymbols(folders, params) {
    const joined = await openCommit(folders, params.commit);
    return { lacking: joined.lacking, value: findSymbols(joined, params) };
  },
  async fileFacts(folders, params) {
    return readFileFacts(await openCommit(folders, params.commit), params.path);
  },
  async commitFacts(folders, { commit }, { signal }) {
    const joined = await openCommit(folders, commit);
    return { lacking: joined.lacking, value: await readCommitFacts(folders, commit, joined, signal) };
  },
  async forget({ gitDir }) {
    closeRepository(gitDir);
    return null;
  },
});
