/** Reviews on this node, in a process of their own: parsing hostile code must not stop the service. */
import type { ReviewRequest, ReviewResult } from '../../platform/core/code-review.ts';
import type { Log } from '../../platform/core/log.ts';
import { createRequestProcess, SOURCE_EXTENSION } from '../search/index.ts';
import type { ReviewProcessRequests } from './messages.ts';

const IDLE_MS = 60_000;
/** Of its JavaScript; parsers have their own memory. */
const MAX_HEAP_MEGABYTES = 512;

export interface ReviewWork {
  /** Rejects with a `SearchFailure`: `missing` when the mirror lacks one of the commits. */
  review(gitDir: string, request: ReviewRequest, signal: AbortSignal): Promise<ReviewResult>;
  close(): Promise<void>;
}

export function createReviewWork({ log }: { log: Log }): ReviewWork {
  const child = createRequestProcess<ReviewProcessRequests, { gitDir: string }>(
    new URL(`./review-process.${SOURCE_EXTENSION}`, import.meta.url),
    { idleMs: IDLE_MS, log, nodeOptions: [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`] },
  );
  return {
    review: (gitDir, request, signal) => child.request('reviewChange', { gitDir }, request, { signal }),
    close: () => child.close(),
  };
}
