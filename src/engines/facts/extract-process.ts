/** The process that extracts facts. What it reads may be hostile: the service restarts it when it dies, and skips the file. */
import { lowerPriority } from '../../platform/core/work/lower-priority.ts';
import { serveRequests } from '../processes/index.ts';
import { reasonOfFailure } from '../search/index.ts';
import { extractRange, planFacts } from './extract-range.ts';
import type { ExtractRequests, FactFolders } from './messages.ts';

/** Lower priority than anything that a user waits for. */
const PRIORITY = 15;

lowerPriority(PRIORITY);

serveRequests<ExtractRequests, FactFolders>(
  {
    planFacts: (folders, params) => planFacts(folders, params),
    extractRange: (folders, params, { onProgress, signal }) =>
      extractRange(folders, params, onProgress, signal),
  },
  reasonOfFailure,
);
