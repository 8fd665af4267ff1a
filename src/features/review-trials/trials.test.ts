/** Trials of reviewers on past pull requests, on real git: what they would say, against what was said. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { NO_MODELS } from '../../../test/helpers/servers/model-server.ts';
import type { Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { runPullRequestReview } from '../reviews/runs/run-pull-request-review.ts';
import { compareFindings } from './compare-findings.ts';
import { runTrial } from './run-trial.ts';
import { claimTrials } from './trial-store.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex, mirrors } = service;
const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });
const services = { db, code: mirrors.code, log, now: () => clock.now() };

const rule = (...names: string[]) =>
  names.map((name) => `id: no-${name}\nlanguage: ts\nrule: {pattern: '${name}($$$)'}\n`).join('---\n');

async function call(method: 'GET' | 'POST', path: string, body?: object, as: Person = acme.admin) {
  const reply = await service.request(method, path, { as: withSession(as), ...(body && { body }) });
  return { status: reply.status, ...reply.body };
}

async function run(trialId: string) {
  await runTrial(services, { organizationId: acme.id, trialId }, AbortSignal.timeout(60_000));
  return call('GET', `/api/v2/review-trials/${trialId}`);
}

const repository = await addRepository(service, { 'a.ts': 'export {};\n' });
const pullRequests: string[] = [];
for (const [index, code] of ['alpha(1);\n', 'beta(2);\n', 'gamma(3);\n'].entries()) {
  await repository.commit(
    { [`src/${index}.ts`]: code },
    { branch: `feature-${index}`, from: (await repository.git('rev-parse', 'main')).trim() },
  );
  await repository.refresh();
  const opened = await call('POST', '/api/v2/pull-requests', {
    ...{ repository: repository.fullName, head: `feature-${index}`, title: `Change ${index}` },
  });
  pullRequests.push(opened.id);
}
const reviewer = await call('POST', '/api/v2/reviewers', {
  ...{ title: 'House rules', kind: 'rules', body: rule('alpha', 'beta') },
});
for (const pullRequestId of pullRequests)
  await runPullRequestReview(
    { ...NO_MODELS, ...services, announce: () => undefined },
    { organizationId: acme.id, pullRequestId },
    AbortSignal.timeout(60_000),
  );
// The default branch now has the first change as it was, and the third one fixed.
await repository.commit({ 'src/0.ts': 'alpha(1);\n', 'src/2.ts': 'delta(3);\n' }, { branch: 'main' });
await repository.refresh();

describe('a trial', () => {
  it('compares a new version with what was said, posts nothing, and says what was fixed since', async () => {
    const saved = await call('POST', `/api/v2/reviewers/${reviewer.id}/versions`, {
      ...{ title: 'House rules', kind: 'rules', body: rule('beta', 'gamma'), activate: false },
    });
    expect(saved).toMatchObject({ activeVersion: 1, newestVersion: 2 });
    const before = await rows();
    const started = await call('POST', '/api/v2/review-trials', { reviewerId: reviewer.id, version: 2 });
    expect(started).toMatchObject({ status: 201, state: 'running', pullRequests: 3, reviewed: 0 });
    const another = await call('POST', '/api/v2/review-trials', { reviewerId: reviewer.id });
    expect(another).toMatchObject({
      status: 409,
      detail: expect.stringContaining('Another trial is running'),
    });
    const done = await run(started.id);
    expect(done).toMatchObject({
      ...{ state: 'done', reviewed: 3, failed: 0, problems: [] },
      ...{ added: { count: 1, fixed: 1 }, same: { count: 1, fixed: 0 }, lost: { count: 1, fixed: 0 } },
    });
    expect(
      done.findings
        .map((each: Record<string, unknown>) => [each.file, each.check, each.outcome, each.fixed])
        .sort(),
    ).toEqual([
      ['src/0.ts', 'no-alpha', 'lost', false],
      ['src/1.ts', 'no-beta', 'same', false],
      ['src/2.ts', 'no-gamma', 'added', true],
    ]);
    expect(await rows()).toEqual(before);
    const listed = await call(
      'GET',
      `/api/v2/review-trials?reviewerId=${reviewer.id}`,
      undefined,
      acme.viewer,
    );
    expect(listed.trials).toMatchObject([{ id: started.id, version: 2, added: { count: 1 } }]);
  });

  it('goes on where it was after a crash, however many work on it, and can be cancelled', async () => {
    const { id } = await call('POST', '/api/v2/review-trials', { reviewerId: reviewer.id });
    expect(await claimTrials(db)).toEqual([{ id, organizationId: acme.id }]);
    expect(await claimTrials(db)).toEqual([]);
    let reviews = 0;
    const crashing = {
      ...services,
      code: {
        ...mirrors.code,
        review: (...request: Parameters<typeof mirrors.code.review>) => {
          reviews += 1;
          if (reviews === 2) crash.abort(new Error('killed'));
          return mirrors.code.review(...request);
        },
      },
    };
    const crash = new AbortController();
    await expect(
      runTrial(crashing, { organizationId: acme.id, trialId: id }, crash.signal),
    ).rejects.toThrow();
    expect(await call('GET', `/api/v2/review-trials/${id}`)).toMatchObject({ state: 'running', reviewed: 1 });
    await Promise.all([run(id), run(id)]);
    expect(await run(id)).toMatchObject({
      state: 'done',
      reviewed: 3,
      same: { count: 2 },
      lost: { count: 0 },
    });
    const next = await call('POST', '/api/v2/review-trials', { reviewerId: reviewer.id });
    expect(await call('POST', `/api/v2/review-trials/${next.id}/cancel`, {}, acme.member)).toMatchObject({
      status: 403,
    });
    expect(await call('POST', `/api/v2/review-trials/${next.id}/cancel`, {})).toMatchObject({
      state: 'cancelled',
    });
    expect(await run(next.id)).toMatchObject({ state: 'cancelled', reviewed: 0 });
  });

  it('is for those who may turn the reviewer on, and only for rules', async () => {
    const start = (body: object, as: Person = acme.admin) => call('POST', '/api/v2/review-trials', body, as);
    expect(await start({ reviewerId: reviewer.id }, acme.member)).toMatchObject({ status: 403 });
    expect(await start({ reviewerId: reviewer.id }, globex.admin)).toMatchObject({ status: 404 });
    expect(await start({ reviewerId: reviewer.id, version: 9 })).toMatchObject({ status: 404 });
    expect(await start({})).toMatchObject({ status: 400 });
    const asking = await call('POST', '/api/v2/reviewers', { title: 'Ask', kind: 'instructions', body: 'x' });
    expect(await start({ reviewerId: asking.id })).toMatchObject({ status: 409 });
  });
});

/** Counts the rows that reviews write. */
async function rows() {
  const counts = [];
  for (const table of ['review_runs', 'review_candidates', 'discussions', 'pull_request_comments'] as const)
    counts.push((await db.selectFrom(table).selectAll().execute()).length);
  return counts;
}

it('does not call lost what a trial never looks for', () => {
  const place = { side: 'head', path: 'a.ts', line: 1, quote: 'x' };
  const elsewhere = { ...place, repository: { id: 'r', name: 'acme/shop', commit: 'c' } };
  const said = (finding_key: string, changes: object) =>
    ({
      finding_key,
      check_name: 'removed_but_used',
      evidence: [place],
      producer: null,
      status: 'open',
      ...changes,
    }) as never;
  const all = [
    said('here', {}),
    said('in both', { evidence: [place, elsewhere] }),
    said('elsewhere', { evidence: [elsewhere] }),
    said('by an agent', { producer: { kind: 'agent' } }),
    said('about others', { check_name: 'shared_migration_number' }),
  ];
  expect(compareFindings([], all, (key) => key).map(({ outcome }) => outcome)).toEqual(['lost', 'lost']);
});
