/** Describes repositories in one worker thread of this node, so that a large one blocks no request. Organizations take turns. */
import { type Call, createFairQueue, NoTurn } from '../../../platform/core/work/fair-queue.ts';
import { threadEntry, WorkThread } from '../../../platform/core/work/work-thread.ts';
import type { Description } from './describe-work.ts';
import type { CodeToDescribe } from './summarize/described-code.ts';

const MAX_WAIT_MS = 60_000;

export interface DescribeWork {
  describe(call: Call, code: CodeToDescribe): Promise<Description>;
  close(): Promise<void>;
}

export function createDescribeWork(): DescribeWork {
  const thread = new WorkThread(
    threadEntry('describe-work-thread', import.meta.url),
    'Describing this repository took too long.',
  );
  const queue = createFairQueue({
    maxRunning: 1,
    maxRunningPerCredential: 1,
    maxWaiting: 20,
    maxWaitingPerCredential: 20,
  });
  return {
    async describe(call, code) {
      const endTurn = await queue.enter(call, MAX_WAIT_MS).catch((error: unknown) => {
        throw error instanceof NoTurn ? error.toProblem('descriptions of repositories') : error;
      });
      try {
        return (await thread.run({ name: 'describe', values: [code] })) as Description;
      } finally {
        endTurn();
      }
    },
    close: () => thread.close(),
  };
}
