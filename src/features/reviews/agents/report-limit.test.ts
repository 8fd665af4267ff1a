/** How many reports a review takes, when they arrive at the same time. */
import { expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { AGENT_REVIEW_LIMITS } from './agent-review-contract.ts';
import { insertAgentFindings, selectReports } from './agent-review-store.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db } = service;
const as = withSession(acme.member);

it('is kept by reports that arrive at the same time; what the checks found takes none of it', async () => {
  const repository = await addRepository(service, { 'a.test.ts': "it('a', () => {});\n" });
  const lines = Array.from({ length: 10 }, (_, n) => `export const value${n} = ${n};\n`).join('');
  await repository.commit(
    { 'a.test.ts': "it.only('a', () => {});\n", 'a.ts': lines },
    { branch: 'b', from: 'main' },
  );
  await repository.refresh();
  const body = { repository: repository.fullName, branch: 'b' };
  const { runId, found } = (await service.request('POST', '/api/v2/agent-reviews', { as, body })).body;
  expect(found).toMatchObject([{ title: 'Focused test: the other tests don’t run' }]);
  const report = (line: number) =>
    service.request('POST', `/api/v2/agent-reviews/${runId}/findings`, {
      as,
      body: {
        ...{ file: 'a.ts', line, quote: `value${line - 1} = `, claim: 'other', subject: `value${line - 1}` },
        ...{ title: `Number ${line}`, scenario: `Callers that read value${line - 1} get the wrong number.` },
      },
    });
  expect((await report(1)).body).toMatchObject({ status: 'accepted' });
  const reported = async () =>
    (await selectReports(db, runId)).filter(({ candidate }) => candidate.producer !== undefined);
  const [first] = await reported();
  // All but three of the others that it takes.
  await insertAgentFindings(
    db,
    Array.from({ length: AGENT_REVIEW_LIMITS.reports - 4 }, () => ({
      ...{ id: uuidv7(), reviewId: runId, organizationId: acme.id, at: clock.now() },
      ...({ outcome: 'refused', reason: 'No.', candidate: first!.candidate } as const),
    })),
  );
  const answers = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map(report));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.body.detail).toBe(
    'A review takes at most 200 reports.',
  );
  expect(await reported()).toHaveLength(AGENT_REVIEW_LIMITS.reports);
  expect((await report(10)).status).toBe(409);
});
