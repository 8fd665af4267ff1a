/** Reviews in processes of their own: what takes too long is killed, what dies is tried again, and the next review runs. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeRepository } from '../../../test/git-fixtures.ts';
import { createLog } from '../../platform/core/log.ts';
import { createReviewWork } from './create-review-work.ts';

const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

async function repositoryWithFinding() {
  const repository = await makeRepository();
  const from = await repository.commit({ 'a.test.ts': "it('a', () => {});\n" });
  const to = await repository.commit({ 'a.test.ts': "it.only('a', () => {});\n" });
  const reviewers = { reviewers: ['tests_missing'], switchedOn: [], ruleReviewers: [] };
  const request = { from, to, ...reviewers, excludedPaths: [] };
  const review = (work: ReturnType<typeof createReviewWork>) =>
    work.request('reviewChange', repository.folder, request, AbortSignal.timeout(60_000));
  return { repository, review };
}

it('kills a review that takes too long, and reviews on', async () => {
  const { repository, review } = await repositoryWithFinding();
  const hurried = createReviewWork({ log, maxReviewMs: 1 });
  const patient = createReviewWork({ log });
  try {
    await expect(review(hurried)).rejects.toMatchObject({ reason: 'timeout' });
    await expect(review(hurried)).rejects.toMatchObject({ reason: 'timeout' });
    const results = await Promise.all([review(patient), review(patient), review(patient)]);
    for (const { candidates } of results)
      expect(candidates.map(({ check }) => check)).toEqual(['focused_test']);
  } finally {
    await Promise.all([hurried.close(), patient.close()]);
    await repository.remove();
  }
}, 60_000);

it('tries again when its process dies, three times at most, and removes what dead processes left', async () => {
  const { repository, review } = await repositoryWithFinding();
  const work = createReviewWork({ log });
  const killOne = () =>
    vi.waitFor(
      () => {
        const [pid] = reviewProcesses();
        expect(pid).toBeDefined();
        const folder = join(tmpdir(), `countersign-patch-${pid!}-left`);
        mkdirSync(folder);
        process.kill(pid!, 'SIGKILL');
        return folder;
      },
      { timeout: 30_000, interval: 5 },
    );
  try {
    const once = review(work);
    const left = await killOne();
    expect((await once).candidates.map(({ check }) => check)).toEqual(['focused_test']);
    expect(existsSync(left)).toBe(false);
    await work.close();

    // As a service that was killed leaves it.
    mkdirSync(left);
    const next = createReviewWork({ log });
    await vi.waitFor(() => expect(existsSync(left)).toBe(false), { timeout: 5_000 });
    const lost = review(next).catch((error: unknown) => error);
    for (let time = 1; time <= 3; time += 1) await killOne();
    expect(await lost).toMatchObject({ reason: 'ended', message: 'It ended: SIGKILL.' });
    expect(reviewProcesses()).toEqual([]);
    await next.close();
  } finally {
    await work.close();
    await repository.remove();
  }
}, 60_000);

/** The running ones of this process that nobody killed yet. */
function reviewProcesses(): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .map(Number)
    .filter((id) => {
      try {
        const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
        return (
          parent === String(process.pid) &&
          readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('review-process')
        );
      } catch {
        return false;
      }
    });
}
