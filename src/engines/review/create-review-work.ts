/** Reviews on this node, in processes of their own: parsing hostile code must not stop the service. */

import type { Log } from '../../platform/core/telemetry/log.ts';
import { removeLeftovers } from '../git/index.ts';
import { createRequestProcess, MAX_ATTEMPTS, ProcessFailure, SOURCE_EXTENSION } from '../processes/index.ts';
import type { ReviewFolders } from './code/review-code.ts';
import type { ReviewRequests } from './contract/code-review.ts';

const IDLE_MS = 60_000;
/** V8 heap limit; parsers have their own memory. */
const MAX_HEAP_MEGABYTES = 512;
/** V8 young generation, which would grow to 16 MiB three times over: a review took a quarter less memory, and no more time. */
const MAX_NEW_MEGABYTES = 2;
/** One for each review at once, so that one that is killed takes no other with it. */
const MAX_PROCESSES = 2;
/** A process that takes longer is killed: a check that is stuck in hostile code reads no message. All attempts together. */
const MAX_REVIEW_MS = 5 * 60_000;
/** How long a cancelled review may take to stop on its own. */
const CANCEL_MS = 5000;

export interface ReviewWork {
  /**
   * Rejects with a `ProcessFailure`: `missing` when the mirror lacks one of the commits, `timeout` when it took too long, `ended`
   * when its process died each time.
   */
  request<Name extends keyof ReviewRequests>(
    name: Name,
    folders: ReviewFolders,
    params: ReviewRequests[Name]['params'],
    signal: AbortSignal,
  ): Promise<ReviewRequests[Name]['result']>;
  close(): Promise<void>;
}

export function createReviewWork({
  log,
  maxReviewMs = MAX_REVIEW_MS,
}: {
  log: Log;
  maxReviewMs?: number;
}): ReviewWork {
  const processes = Array.from({ length: MAX_PROCESSES }, () => ({
    running: 0,
    gitDir: '',
    child: createRequestProcess<ReviewRequests, ReviewFolders>(
      new URL(`./review-process.${SOURCE_EXTENSION}`, import.meta.url),
      {
        idleMs: IDLE_MS,
        log,
        nodeOptions: [
          `--max-old-space-size=${MAX_HEAP_MEGABYTES}`,
          `--max-semi-space-size=${MAX_NEW_MEGABYTES}`,
        ],
      },
    ),
  }));
  const sweep = () =>
    removeLeftovers().catch((error: unknown) =>
      log.warn({ err: error }, 'temporary folders of killed processes could not be removed'),
    );
  let isClosed = false;
  void sweep();
  return {
    async request(name, folders, params, signal) {
      let used: (typeof processes)[number] | undefined;
      let isLate = false;
      const kill = () => void used?.child.close().then(sweep);
      const late = setTimeout(() => {
        isLate = true;
        kill();
      }, maxReviewMs);
      let cancelled: NodeJS.Timeout | undefined;
      const cancel = () => {
        cancelled = setTimeout(kill, CANCEL_MS);
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        for (let attempt = 1; ; attempt += 1) {
          const chosen = chooseProcess(processes, folders.gitDir);
          used = chosen;
          chosen.running += 1;
          chosen.gitDir = folders.gitDir;
          try {
            return await chosen.child.request(name, folders, params, { signal });
          } catch (error) {
            if (isLate)
              throw new ProcessFailure(
                'timeout',
                `The review took longer than ${maxReviewMs / 1000} seconds.`,
              );
            if (isClosed || signal.aborted || !hasLostProcess(error)) throw error;
            await sweep();
            if (attempt === MAX_ATTEMPTS) throw error;
          } finally {
            chosen.running -= 1;
          }
        }
      } finally {
        clearTimeout(late);
        clearTimeout(cancelled);
        signal.removeEventListener('abort', cancel);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(processes.map(({ child }) => child.close()));
      await sweep();
    },
  };
}

/** One with the fewest reviews; of these, the one that reviewed this repository last, because it still has it in memory. */
export function chooseProcess<Each extends { running: number; gitDir: string }>(
  processes: readonly Each[],
  gitDir: string,
): Each {
  const fewest = Math.min(...processes.map(({ running }) => running));
  const free = processes.filter(({ running }) => running === fewest);
  return free.find((each) => each.gitDir === gitDir) ?? free[0]!;
}

/** It died, or was killed because of another request that it was answering. */
function hasLostProcess(error: unknown): boolean {
  return error instanceof ProcessFailure && (error.reason === 'ended' || error.reason === 'cancelled');
}
