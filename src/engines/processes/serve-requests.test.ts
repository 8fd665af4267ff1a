/** An idle process returns its memory, in a real one. */
import { expect, it, vi } from 'vitest';
import type { GarbageRequests } from '../../../test/helpers/processes/garbage-process.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { createRequestProcess } from './request-process.ts';

const MEGABYTE = 1e6;
const log = createLog({ level: 'silent', terminal: false });

it('an idle process returns the memory that its last request used', async () => {
  const file = new URL('../../../test/helpers/processes/garbage-process.ts', import.meta.url);
  const child = createRequestProcess<GarbageRequests, object>(file, { idleMs: 60_000, log });
  const signal = AbortSignal.timeout(30_000);
  try {
    const before = await child.request('leaveGarbage', {}, {}, { signal });
    expect(before).toBeGreaterThan(30 * MEGABYTE);
    // Every request restarts the wait.
    await vi.waitFor(
      async () =>
        expect(await child.request('usedBytes', {}, {}, { signal })).toBeLessThan(before - 20 * MEGABYTE),
      { interval: 2500, timeout: 20_000 },
    );
  } finally {
    await child.close();
  }
});
