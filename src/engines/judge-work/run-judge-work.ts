/**
 * Follows and judges discussions in one worker thread of this node, so that a push that rewrites large files blocks no request.
 * Organizations, people and credentials take turns.
 */
import { type Call, createFairQueue, NoTurn } from '../../platform/core/work/fair-queue.ts';
import { threadEntry, WorkThread } from '../../platform/core/work/work-thread.ts';
import type { JudgeWork } from './judge-work.ts';

const MAX_WAIT_MS = 60_000;
const thread = new WorkThread(
  threadEntry('judge-work-thread', import.meta.url),
  'Comparing this discussion with the code took too long.',
);
const queue = createFairQueue({
  maxRunning: 1,
  maxRunningPerCredential: 1,
  maxWaiting: 200,
  maxWaitingPerCredential: 20,
});

export async function runJudgeWork<Name extends keyof JudgeWork>(
  call: Call,
  name: Name,
  ...values: Parameters<JudgeWork[Name]>
): Promise<ReturnType<JudgeWork[Name]>> {
  const endTurn = await queue.enter(call, MAX_WAIT_MS).catch((error: unknown) => {
    throw error instanceof NoTurn ? error.toProblem('comparisons of discussions') : error;
  });
  try {
    return (await thread.run({ name, values })) as ReturnType<JudgeWork[Name]>;
  } finally {
    endTurn();
  }
}
