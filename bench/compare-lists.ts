/** COMPARE: the longest delay of other requests while two lists of 1 MiB are compared, compared with parsing that reply as JSON. */

import { createTextThreads } from '../src/engines/plan-text/index.ts';
import { PlanDifference } from '../src/features/plans/contract.ts';
import { readBatches } from '../src/features/plans/reading/compare-plan-versions.ts';
import type { Measurement } from './measure.ts';

const list = (word: string) => `- ${word}\n`.repeat(Math.floor((1 << 20) / (word.length + 3)));

const call = {
  caller: { organizationId: 'bench', userId: 'bench', credentialId: 'bench' },
  signal: new AbortController().signal,
};

export const compareLists: Measurement = {
  id: 'COMPARE',
  what: 'longest wait while lists of 1 MiB are compared',
  unit: 'ms',
  referenceName: 'JSON.parse of the reply',
  target: { most: 1 },
  rounds: 7,
  async prepare() {
    const threads = createTextThreads();
    const [before, after] = [list('an item of the old list'), list('an item of the new list')];
    const compare = async () => {
      const { batches } = await threads.run(call, 'compareInBatches', before, after);
      const written: string[] = [];
      for await (const batch of readBatches(batches)) {
        written.push(JSON.stringify(PlanDifference.shape.blocks.parse(batch)));
      }
      return written;
    };
    const reply = `[${(await compare()).join(',')}]`;
    const ours = async () => {
      const waits = watchWaits();
      await compare();
      return waits.end();
    };
    const reference = async () => {
      const started = performance.now();
      JSON.parse(reply);
      return performance.now() - started;
    };
    return { ours, reference, end: async () => {} };
  },
};

/** The longest time between two turns of the event loop. */
function watchWaits(): { end(): number } {
  let [longest, last] = [0, performance.now()];
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    end() {
      clearImmediate(next);
      return longest;
    },
  };
}
