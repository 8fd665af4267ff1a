/**
 * Follows and judges discussions in one worker thread of this node, so that a push that rewrites large files blocks no request.
 * Organizations, people and credentials take turns.
 */
import { type Call, createFairQueue, NoTurn } from '../../platform/core/work/fair-queue.ts';
import { threadEntry, WorkThread } from '../../platform/core/work/work-thread.ts';
import type { DiscussionWork } from './discussion-work.ts';

const MAX_WAIT_MS = 60_000;

export interface DiscussionThread {
  run<Name extends keyof DiscussionWork>(
    call: Call,
    name: Name,
    ...values: Parameters<DiscussionWork[Name]>
  ): Promise<ReturnType<DiscussionWork[Name]>>;
  close(): Promise<void>;
}

export function createDiscussionThread(): DiscussionThread {
  const thread = new WorkThread(
    threadEntry('discussion-work-thread', import.meta.url),
    'Comparing this discussion with the code took too long.',
  );
  const queue = createFairQueue({
    maxRunning: 1,
    maxRunningPerCredential: 1,
    maxWaiting: 200,
    maxWaitingPerCredential: 20,
  });
  return {
    async run(call, name, ...values) {
      const endTurn = await queue.enter(call, MAX_WAIT_MS).catch((error: unknown) => {
        throw error instanceof NoTurn ? error.toProblem('comparisons of discussions') : error;
      });
      try {
        return (await thread.run({ name, values })) as never;
      } finally {
        endTurn();
      }
    },
    close: () => thread.close(),
  };
}
