/** Reviews in processes of their own: what takes too long is killed, what dies is tried again, and the next review runs. */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { childProcesses, killChild } from '../../../test/helpers/processes/child-processes.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { chooseProcess, createReviewWork } from './create-review-work.ts';

const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

async function repositoryWithFinding() {
  const repository = await makeRepository();
  const from = await repository.commit({ 'a.test.ts': "it('a', () => {});\n" });
  const to = await repository.commit({ 'a.test.ts': "it.only('a', () => {});\n" });
  const reviewers = { reviewers: ['tests_missing'], switchedOn: [], ruleReviewers: [] };
  const request = { from, to, ...reviewers, excludedPaths: [] };
  const [indexFolder, factsFolder] = ['index', 'facts'].map((name) => join(repository.folder, name));
  const folders = { gitDir: repository.folder, indexFolder: indexFolder!, factsFolder: factsFolder! };
  const review = (work: ReturnType<typeof createReviewWork>) =>
    work.request('reviewChange', folders, request, AbortSignal.timeout(60_000));
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
  let left = '';
  const killOne = () =>
    killChild('review-process', (id) => {
      left = join(tmpdir(), `countersign-patch-${id}-left`);
      mkdirSync(left);
    });
  try {
    const once = review(work);
    await killOne();
    expect((await once).candidates.map(({ check }) => check)).toEqual(['focused_test']);
    expect(existsSync(left)).toBe(false);
    await work.close();

    // As a service that was killed leaves it.
    mkdirSync(left);
    const next = createReviewWork({ log });
    await vi.waitFor(() => expect(existsSync(left)).toBe(false), { timeout: 30_000 });
    const lost = review(next).catch((error: unknown) => error);
    for (let time = 1; time <= 3; time += 1) await killOne();
    expect(await lost).toMatchObject({ reason: 'ended', message: 'It ended: SIGKILL.' });
    expect(childProcesses('review-process')).toEqual([]);
    await next.close();
  } finally {
    await work.close();
    await repository.remove();
  }
}, 60_000);

it('gives a review to a process with the fewest, and of these to the one that knows the repository', () => {
  const [one, other] = [
    { running: 0, gitDir: 'one' },
    { running: 0, gitDir: 'other' },
  ];
  expect(chooseProcess([one, other], 'one')).toBe(one);
  expect(chooseProcess([one, other], 'other')).toBe(other);
  expect(chooseProcess([one, other], 'a third')).toBe(one);
  other.running = 1;
  expect(chooseProcess([one, other], 'other')).toBe(one);
  one.running = 2;
  expect(chooseProcess([one, other], 'one')).toBe(other);
});
