/** The process that builds indexes, one at a time; the service starts it when there is something to index. */
import { lowerPriority } from '../../platform/core/work/lower-priority.ts';
import { serveRequests } from '../processes/index.ts';
import { buildIndex } from './build-index.ts';
import type { RepositoryFolders, SearchRequests } from './messages.ts';
import { reasonOfFailure } from './reason-of-failure.ts';
import { TrigramCollector } from './shards/trigrams.ts';

/** Lower priority than anything that a user waits for. */
const PRIORITY = 15;

lowerPriority(PRIORITY);
const collector = new TrigramCollector();

serveRequests<SearchRequests, RepositoryFolders>(
  {
    buildIndex: (folders, params, { onProgress, signal }) =>
      buildIndex({ ...folders, ...params }, collector, onProgress, signal),
  },
  reasonOfFailure,
);
