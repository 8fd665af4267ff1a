/** Reviews in processes of their own: what takes too long is killed, and the next review runs. */
import { expect, it } from 'vitest';
import { makeRepository } from '../../../test/git-fixtures.ts';
import { createLog } from '../../platform/core/log.ts';
import { createReviewWork } from './create-review-work.ts';

const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

it('kills a review that takes too long, and reviews on', async () => {
  const repository = await makeRepository();
  const from = await repository.commit({ 'a.test.ts': "it('a', () => {});\n" });
  const to = await repository.commit({ 'a.test.ts': "it.only('a', () => {});\n" });
  const reviewers = { reviewers: ['tests_missing'], switchedOn: [], ruleReviewers: [] };
  const request = { from, to, ...reviewers, excludedPaths: [] };
  const review = (work: ReturnType<typeof createReviewWork>) =>
    work.request('reviewChange', repository.folder, request, AbortSignal.timeout(60_000));
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
