import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const LOAD = {
  pool: () => ({ total: 3, idle: 1, waiting: 0 }),
  searches: () => ({ running: 0, waiting: 0 }),
  waits: () => 0,
  freeBytes: async () => 5_000_000,
};
const JOB = { name: 'deliver-webhook', waiting: 4, running: 1, failing: 2, waitedSeconds: 7.5 };

it('shows jobs by kind and state, and asks for them once however often it is read', async () => {
  let asked = 0;
  const metrics = createMetrics({
    ...LOAD,
    async jobs() {
      asked += 1;
      return [JOB];
    },
  });
  const replies = await Promise.all([metrics.render(), metrics.render()]);
  replies.push(await metrics.render());
  for (const { text } of replies) {
    expect(text).toContain('countersign_jobs{kind="deliver-webhook",state="waiting"} 4\n');
    expect(text).toContain('countersign_jobs{kind="deliver-webhook",state="running"} 1\n');
    expect(text).toContain('countersign_jobs{kind="deliver-webhook",state="failing"} 2\n');
    expect(text).toContain('countersign_job_lag_seconds{kind="deliver-webhook"} 7.5\n');
  }
  expect(asked).toBe(1);
});

it.each([
  ['refuses connections', () => Promise.reject(new Error('no connection'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('shows the rest while the database %s', async (_, jobs) => {
  const metrics = createMetrics({ ...LOAD, jobs });
  const { text } = await metrics.render();
  expect(text).toContain('countersign_database_connections{state="busy"} 2\n');
  expect(text).not.toContain('countersign_jobs{');
});
