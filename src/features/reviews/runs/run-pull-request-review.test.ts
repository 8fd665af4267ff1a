/** Reviews of pull requests on real git: findings as discussions, pushes, dismissals, settings, requests and races. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { reviewNow, scriptedFinding } from '../../../../test/code-hosts/scripted-review.ts';
import { killChild } from '../../../../test/helpers/processes/child-processes.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { act, postPlan } from '../../../../test/helpers/rows/plans.ts';
import { NO_MODELS } from '../../../../test/helpers/servers/model-server.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { claimDueReviews, createPlainGitFollower, lockIdlePullRequests } from '../../pull-requests/index.ts';
import { readDecisionFile } from '../decisions/decision-file.ts';
import { exportDecisions } from '../decisions/export-decisions.ts';
import { runPullRequestReview } from './run-pull-request-review.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, mirrors, globex } = service;
const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log,
});
/** Put together, so that scanners of this repository leave it alone. */
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;

async function open(files: Record<string, string | null>, { base = {}, draft = false } = {}) {
  const repository = await addRepository(service, {
    'src/money.ts': 'export function format(n: number) {\n  return n;\n}\n',
    'src/cart.ts': "import { format } from './money.ts';\nformat(1);\n",
    'src/money.test.ts': "it('formats', () => {});\n",
    ...base,
  });
  await repository.commit(files, { branch: 'feature', from: await repository.git('rev-parse', 'main') });
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'feature', title: 'Change', draft },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const id = opened.body.id as string;
  const get = async (path: string) =>
    (await service.request('GET', path, { as: withSession(acme.viewer) })).body;
  return {
    id,
    repository,
    review: () =>
      runPullRequestReview(
        { ...NO_MODELS, db, code: mirrors.code, log, announce: () => undefined, now: () => clock.now() },
        { organizationId: acme.id, pullRequestId: id },
        AbortSignal.timeout(60_000),
      ),
    async push(changes: Record<string, string | null>) {
      await repository.commit(changes, { branch: 'feature' });
      await repository.refresh();
      await createPlainGitFollower({ code: mirrors.code, announce: () => undefined, log }).run(
        db,
        clock.now(),
      );
    },
    discussions: async () =>
      (await get(`/api/v2/pull-requests/${id}/discussions`)).discussions as {
        id: string;
        status: string;
        author: { kind: string; name: string };
        file: string;
        startLine: number;
        comments: { body: string }[];
      }[],
    runs: async () => get(`/api/v2/pull-requests/${id}/review-runs`),
    get,
  };
}

const THREE_MISTAKES = {
  'src/money.ts': `export const key = '${TOKEN}';\n`,
  'src/money.test.ts': "it.only('formats', () => {});\n",
};

describe('a review', () => {
  it('opens a discussion for each finding, in the name of its reviewer, and shows what it looked at', async () => {
    const { discussions, get, id, review, runs } = await open(THREE_MISTAKES);
    expect(await runs()).toEqual({ runs: [], due: true });
    await review();
    const found = await discussions();
    expect(found.map(({ author, file, startLine, status }) => [author, file, startLine, status])).toEqual([
      [{ kind: 'reviewer', id: null, name: 'Secrets' }, 'src/money.ts', 1, 'open'],
      [{ kind: 'reviewer', id: null, name: 'Breaking Changes' }, 'src/money.ts', 1, 'open'],
      [{ kind: 'reviewer', id: null, name: 'Tests Missing' }, 'src/money.test.ts', 1, 'open'],
    ]);
    expect(found[1]!.comments[0]!.body).toContain("`src/cart.ts:1`: `import { format } from './money.ts';`");
    expect(JSON.stringify(found)).not.toContain(TOKEN.slice(0, 12));
    const { due, runs: listed } = await runs();
    expect(due).toBe(false);
    expect(listed).toMatchObject([
      { trigger: 'opened', state: 'done', files: 2, addedLines: 2, findings: 3 },
    ]);
    const run = await get(`/api/v2/review-runs/${listed[0].id}`);
    expect(run).toMatchObject({ pullRequestId: id, notReviewed: [], moreFiles: 0 });
    expect(run.candidates.map(({ check, fate }: { check: string; fate: string }) => [check, fate])).toEqual([
      ['leaked_secret', 'finding'],
      ['removed_but_used', 'finding'],
      ['focused_test', 'finding'],
    ]);
    const { name } = (await get(`/api/v2/pull-requests/${id}`)).repository;
    const byBranch = await service.request(
      'GET',
      `/api/v2/discussions/by-branch?repository=${name}&branch=feature`,
      { as: acme.member },
    );
    expect(byBranch.body[0]).toMatchObject({ reviewerTitle: 'Secrets', comments: [{ author: 'Secrets' }] });
  });

  it('raises nothing twice, and addresses what a push fixed', async () => {
    const { discussions, push, review, runs } = await open(THREE_MISTAKES);
    await review();
    await push({ 'src/money.test.ts': "it('formats numbers', () => {});\n" });
    await review();
    expect((await discussions()).map(({ status }) => status)).toEqual(['open', 'open', 'addressed']);
    expect(
      (await runs()).runs.map(({ findings, trigger }: { findings: number; trigger: string }) => [
        trigger,
        findings,
      ]),
    ).toEqual([
      ['pushed', 0],
      ['opened', 3],
    ]);
  });

  it('is written once, however many run at the same time, and does nothing when none is due', async () => {
    const { discussions, review, runs } = await open(THREE_MISTAKES);
    await Promise.all([review(), review(), review()]);
    await review();
    expect(await discussions()).toHaveLength(3);
    expect((await runs()).runs).toHaveLength(1);
  });

  it('leaves the writing to the review of a newer head', async () => {
    const { discussions, id, push, review, runs } = await open(THREE_MISTAKES);
    const { code } = mirrors;
    await runPullRequestReview(
      {
        ...{ ...NO_MODELS, db, log, announce: () => undefined, now: () => clock.now() },
        code: {
          ...code,
          async review(...request) {
            const result = await code.review(...request);
            await push({ 'src/other.ts': 'export const other = 1;\n' });
            return result;
          },
        },
      },
      { organizationId: acme.id, pullRequestId: id },
      AbortSignal.timeout(60_000),
    );
    expect(await discussions()).toEqual([]);
    expect(await runs()).toEqual({ runs: [], due: true });
    await review();
    expect(await discussions()).toHaveLength(3);
  });

  it('is due at once after a push, unless there were three within half a minute', async () => {
    const { id, push, review } = await open(THREE_MISTAKES);
    const isDue = async () => (await claimDueReviews(db, 1000)).some((each) => each.id === id);
    for (const number of [1, 2, 3]) {
      expect(await isDue(), `review ${number}`).toBe(true);
      await review();
      await push({ 'src/other.ts': `export const other = ${number};\n` });
    }
    // On a busy machine they took longer.
    await sql`UPDATE pull_requests SET review_started_at = clock_timestamp() WHERE id = ${id}`.execute(db);
    await sql`UPDATE review_runs SET started_at = clock_timestamp() WHERE pull_request_id = ${id}`.execute(
      db,
    );
    expect(await isDue()).toBe(false);
    await sql`UPDATE review_runs SET started_at = started_at - interval '31 seconds' WHERE id =
      (SELECT id FROM review_runs WHERE pull_request_id = ${id} ORDER BY id LIMIT 1)`.execute(db);
    expect(await isDue()).toBe(true);
  });

  it('is one item in the inbox of the author, which says how many findings there are', async () => {
    const { id, push, review } = await open(THREE_MISTAKES);
    const items = async () => {
      await outbox.run(db, clock.now());
      const { body } = await service.request('GET', '/api/v2/inbox', { as: withSession(acme.member) });
      return body.items.filter(({ pullRequest }: { pullRequest: { id: string } }) => pullRequest.id === id);
    };
    await review();
    expect(await items()).toMatchObject([{ kind: 'leaked_secret', findings: 3, actor: { name: 'Secrets' } }]);
    await push({ 'src/cart.test.ts': "it.only('sums', () => {});\n" });
    await review();
    expect(await items()).toMatchObject([{ findings: 1, actor: { name: 'Tests Missing' } }, { findings: 3 }]);
  });

  it('is tried again when the process that compares commits dies, three times at most', async () => {
    const [one, other] = [await open(THREE_MISTAKES), await open(THREE_MISTAKES)];
    // The next request starts a new one.
    await killChild('query-process');
    const once = one.review();
    await killChild('query-process');
    await once;
    expect((await one.runs()).runs).toMatchObject([{ state: 'done', findings: 3 }]);

    await killChild('query-process');
    const lost = other.review();
    for (let time = 1; time <= 3; time += 1) await killChild('query-process');
    await lost;
    const problem = 'Reading the code was interrupted. Try again.';
    expect((await other.runs()).runs).toMatchObject([{ state: 'failed', problem }]);
  });

  it('says why it was skipped or failed', async () => {
    const draft = await open(THREE_MISTAKES, { draft: true });
    const set = (enabled: boolean) =>
      service.request('PATCH', '/api/v2/organization/switches/review_draft_pull_requests', {
        as: withSession(acme.admin),
        body: { enabled },
      });
    await set(false);
    await draft.review();
    await set(true);
    expect((await draft.runs()).runs).toMatchObject([
      { state: 'skipped', problem: 'Drafts are not reviewed.' },
    ]);
    const broken = await open(THREE_MISTAKES);
    await runPullRequestReview(
      {
        ...{ ...NO_MODELS, db, log, announce: () => undefined, now: () => clock.now() },
        code: { ...mirrors.code, review: () => Promise.reject(new Error('no memory')) },
      },
      { organizationId: acme.id, pullRequestId: broken.id },
      AbortSignal.timeout(60_000),
    );
    expect((await broken.runs()).runs).toMatchObject([
      { state: 'failed', problem: 'The review stopped unexpectedly.' },
    ]);
  });

  it('keeps thousands of candidates', async () => {
    const many = await open(THREE_MISTAKES);
    await runPullRequestReview(
      {
        ...{ ...NO_MODELS, db, log, announce: () => undefined, now: () => clock.now() },
        code: {
          ...mirrors.code,
          async review(...request) {
            const result = await mirrors.code.review(...request);
            const focused = result.candidates.at(-1)!;
            const candidates = Array.from({ length: 3800 }, (_, at) => ({
              ...{ ...focused, key: `key ${at}`, subject: `test ${at}` },
            }));
            return { ...result, candidates };
          },
        },
      },
      { organizationId: acme.id, pullRequestId: many.id },
      AbortSignal.timeout(60_000),
    );
    const [run] = (await many.runs()).runs;
    expect(run).toMatchObject({ state: 'done', findings: 5 });
    expect((await many.get(`/api/v2/review-runs/${run.id}`)).candidates).toHaveLength(3800);
  });

  it.each(['recheck', 'Please recheck', '@countersign recheck'])(
    'runs again after the comment %j: only if it is a request',
    async (body) => {
      const { id, runs } = await open({ 'src/x.ts': 'x\n' });
      await reviewNow(service, acme, id, []);
      const as = withSession(acme.member);
      await service.request('POST', `/api/v2/pull-requests/${id}/comments`, { as, body: { body } });
      expect((await runs()).due).toBe(!body.startsWith('Please'));
    },
  );

  it('runs again when a person asks, and skips excluded paths and reviewers that are off', async () => {
    const { discussions, id, repository, review, runs } = await open(THREE_MISTAKES);
    const excluded = await service.request('PUT', `/api/v2/repositories/${repository.id}/excluded-paths`, {
      as: withSession(acme.admin),
      body: { paths: ['*.test.ts'] },
    });
    expect(excluded.status, JSON.stringify(excluded.body)).toBe(200);
    await db
      .updateTable('reviewers')
      .set({ enabled: false })
      .where('organization_id', '=', acme.id)
      .where('built_in', '=', 'secrets')
      .execute();
    await review();
    expect((await discussions()).map(({ author }) => author.name)).toEqual(['Breaking Changes']);
    await db.updateTable('reviewers').set({ enabled: true }).where('organization_id', '=', acme.id).execute();
    const request = () =>
      service.request('POST', `/api/v2/pull-requests/${id}/review-runs`, { as: withSession(acme.member) });
    expect((await Promise.all([request(), request()])).map(({ body }) => body)).toEqual([
      { due: true },
      { due: true },
    ]);
    await review();
    expect((await discussions()).map(({ author }) => author.name)).toEqual(['Breaking Changes', 'Secrets']);
    expect((await runs()).runs[0]).toMatchObject({ trigger: 'requested', requestedBy: acme.member.name });
  });
});

describe('dismissing a finding', () => {
  it('keeps it silent in the chosen scope', async () => {
    const { discussions, push, review } = await open(THREE_MISTAKES);
    await review();
    const focused = (await discussions())[2]!;
    const dismissed = await service.request('POST', `/api/v2/discussions/${focused.id}/dismissal`, {
      as: withSession(acme.admin),
      body: { reason: 'intended', scope: 'repository', note: 'Only while we debug.' },
    });
    expect(dismissed.body).toMatchObject({
      status: 'resolved',
      statusReason: 'Dismissed: this is intended. Only while we debug. Not raised again in this repository.',
    });
    await push({
      'src/moved/money.test.ts': "\n  it.only('formats', () => {})\n",
      'src/money.test.ts': null,
    });
    await review();
    expect((await discussions()).map(({ status }) => status)).toEqual(['open', 'open', 'resolved']);
  });

  it('shows first what a wider scope hides, hides it, and raises nothing that it covers', async () => {
    const { discussions, id, runs } = await open({ 'src/x.ts': 'x\n' });
    const found = [
      scriptedFinding({ subject: 'formats', file: 'src/a.test.ts' }),
      scriptedFinding({ subject: 'parses', file: 'src/a.test.ts' }),
      scriptedFinding({ subject: 'formats', file: 'src/b.test.ts', quote: 'it.only(1)' }),
      scriptedFinding({ reviewer: 'security', check: 'unsafe_workflow', subject: 'run', file: 'ci.yml' }),
    ];
    await reviewNow(service, acme, id, found.toSpliced(2, 1));
    // Another place of the first one, with a later push.
    await reviewNow(service, acme, id, found);
    const [first, , security] = await discussions();
    const path = (discussionId: string) => `/api/v2/discussions/${discussionId}/dismissal`;
    const hides = async (discussionId: string, scope: string) => {
      const as = withSession(acme.member);
      const preview = await service.request('GET', `${path(discussionId)}?scope=${scope}`, { as });
      const { hides, scopes } = preview.body as {
        hides: { title: string; file: string }[];
        scopes: string[];
      };
      return { scopes: scopes.length, files: hides.map(({ file }) => file) };
    };
    expect(await hides(first!.id, 'pull_request')).toEqual({ scopes: 5, files: [] });
    expect(await hides(first!.id, 'path')).toEqual({ scopes: 5, files: ['src/a.test.ts'] });
    expect(await hides(first!.id, 'symbol')).toEqual({ scopes: 5, files: ['src/b.test.ts'] });
    expect(await hides(security!.id, 'path')).toEqual({ scopes: 3, files: [] });
    const dismiss = (discussionId: string, scope: string) =>
      service.request('POST', path(discussionId), {
        as: withSession(acme.member),
        body: { reason: 'intended', scope },
      });
    expect((await dismiss(security!.id, 'path')).status).toBe(409);
    expect((await dismiss(first!.id, 'symbol')).body).toMatchObject({ status: 'resolved' });
    expect((await discussions()).map(({ status }) => status)).toEqual([
      ...['resolved', 'open', 'open', 'resolved'],
    ]);
    const third = scriptedFinding({ subject: 'formats', file: 'src/c.test.ts', quote: 'it.only(2)' });
    await reviewNow(service, acme, id, [...found, third]);
    expect((await runs()).runs[0]).toMatchObject({ findings: 0 });
    // Reopening it undoes the dismissal.
    const reopened = { as: withSession(acme.member), body: { status: 'open' } };
    await service.request('PATCH', `/api/v2/discussions/${first!.id}`, reopened);
    await reviewNow(service, acme, id, [...found, third]);
    expect((await runs()).runs[0]).toMatchObject({ findings: 1 });
  });

  it('is kept in files of the repository, which count at the base only', async () => {
    const FOCUSED = { 'src/money.test.ts': "it.only('formats', () => {});\n" };
    const first = await open(FOCUSED);
    await first.review();
    const [focused] = await first.discussions();
    await service.request('POST', `/api/v2/discussions/${focused!.id}/dismissal`, {
      as: withSession(acme.member),
      body: { reason: 'intended', scope: 'repository', note: 'Only this one\nruns.' },
    });
    const { id: repositoryId } = (await first.get(`/api/v2/pull-requests/${first.id}`)).repository;
    const [file, ...others] = await exportDecisions(db, { organizationId: acme.id, repositoryId });
    expect(others).toEqual([]);
    expect(file!.name).toMatch(/^focused-test-[0-9a-f]{12}\.md$/);
    expect(readDecisionFile(file!.text)).toMatchObject({
      ok: true,
      file: { scope: 'repository', reason: 'intended', check: 'focused_test', note: 'Only this one\nruns.' },
    });
    const path = `.countersign/decisions/${file!.name}`;
    const broken = { '.countersign/decisions/broken.md': '---\nkey: 1\n---\n' };
    const atBase = await open(FOCUSED, { base: { [path]: file!.text, ...broken } });
    await atBase.review();
    expect(await atBase.discussions()).toEqual([]);
    const run = await atBase.get(`/api/v2/review-runs/${(await atBase.runs()).runs[0].id}`);
    expect(run.candidates[0].fateReason).toMatch(/^\.countersign\/decisions\/.* dismissed it as intended\.$/);
    expect(run.checks.at(-1)).toMatchObject({
      name: '.countersign/decisions/broken.md',
      failure: expect.stringContaining('line 2, column 6: key: '),
    });
    const atHead = await open({ ...FOCUSED, [path]: file!.text });
    await atHead.review();
    expect(await atHead.discussions()).toHaveLength(1);
  });

  it('is not for authors of a leaked secret, for other discussions, or for other organizations', async () => {
    const { discussions, id, review } = await open(THREE_MISTAKES);
    await review();
    const [secret] = await discussions();
    const dismiss = (discussionId: string, person: { key: string } | typeof acme.member) =>
      service.request('POST', `/api/v2/discussions/${discussionId}/dismissal`, {
        as: withSession(person as typeof acme.member),
        body: { reason: 'wrong', scope: 'pull_request' },
      });
    expect((await dismiss(secret!.id, acme.member)).status).toBe(403);
    expect((await dismiss(secret!.id, globex.admin)).status).toBe(404);
    const own = await service.request('POST', `/api/v2/pull-requests/${id}/discussions`, {
      as: withSession(acme.member),
      body: { file: 'src/cart.ts', startLine: 1, body: 'Why?' },
    });
    expect((await dismiss(own.body.id, acme.admin)).status).toBe(409);
    expect((await dismiss(secret!.id, acme.admin)).status).toBe(200);
  });
});

describe('each setting about reviews, on and off', () => {
  const set = async (key: string, enabled: boolean) => {
    const as = withSession(acme.admin);
    const body = { enabled };
    expect(
      (await service.request('PATCH', `/api/v2/organization/switches/${key}`, { as, body })).status,
    ).toBe(200);
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  const latest = async ({ runs }: Opened) => (await runs()).runs[0]?.state;
  const pushed = { 'src/other.ts': 'export const other = 1;\n' };
  const cases: Record<string, { default: boolean; run(): Promise<unknown>; on: unknown; off: unknown }> = {
    review_draft_pull_requests: {
      ...{ default: true, on: 'done', off: 'skipped' },
      async run() {
        const opened = await open(THREE_MISTAKES, { draft: true });
        await opened.review();
        return latest(opened);
      },
    },
    review_on_every_push: {
      ...{ default: true, on: 'done', off: 'skipped' },
      async run() {
        const opened = await open(THREE_MISTAKES);
        await opened.review();
        await opened.push(pushed);
        await opened.review();
        return latest(opened);
      },
    },
    review_only_on_request: {
      ...{ default: false, on: 'skipped', off: 'done' },
      async run() {
        const opened = await open(THREE_MISTAKES);
        await opened.review();
        return latest(opened);
      },
    },
    re_review_after_resolution: {
      ...{ default: true, on: 'done', off: 'skipped' },
      async run() {
        const opened = await open({ 'src/money.test.ts': "it.only('formats', () => {});\n" });
        await opened.review();
        const { id } = (await opened.discussions())[0]!;
        await service.request('PATCH', `/api/v2/discussions/${id}`, {
          as: withSession(acme.member),
          body: { status: 'resolved' },
        });
        await opened.review();
        return latest(opened);
      },
    },
    auto_resolve_addressed: {
      ...{ default: false, on: 'resolved', off: 'addressed' },
      async run() {
        const opened = await open({ 'src/money.test.ts': "it.only('formats', () => {});\n" });
        await opened.review();
        await opened.push({ 'src/money.test.ts': "it('formats numbers', () => {});\n" });
        await opened.review();
        return (await opened.discussions())[0]!.status;
      },
    },
    auto_approve_clean: {
      ...{ default: false, on: ['approved'], off: [] },
      async run() {
        const { get, id, review } = await open(pushed);
        await review();
        const { verdicts } = await get(`/api/v2/pull-requests/${id}`);
        for (const { author } of verdicts) expect(author.name).toBe('Countersign');
        return verdicts.map(({ verdict }: { verdict: string }) => verdict);
      },
    },
    generate_description: {
      ...{ default: false, off: '' },
      on: `Changes 1 file: 1 added and 0 removed lines.

- Code: 1 file in \`src\`

- Added: \`src/other.ts\`

_Written by Countersign from the changed files, because the description was empty. Edit it to replace it._`,
      async run() {
        const { get, id, review } = await open(pushed);
        await review();
        return (await get(`/api/v2/pull-requests/${id}`)).description;
      },
    },
  };

  it('an approval is withdrawn, once, when a later head has findings', async () => {
    await set('auto_approve_clean', true);
    const { get, id, push, review } = await open(pushed);
    const said = async () => {
      await review();
      const { verdicts } = await get(`/api/v2/pull-requests/${id}`);
      return verdicts.map(({ dismissedAt, verdict }: { dismissedAt: string | null; verdict: string }) =>
        dismissedAt === null ? verdict : 'dismissed',
      );
    };
    expect(await said()).toEqual(['approved']);
    await push({ 'src/money.test.ts': "it.only('formats', () => {});\n" });
    expect(await said()).toEqual(['dismissed', 'commented']);
    await push({ 'src/money.test.ts': "it.only('formats', () => {});\nit.only('rounds', () => {});\n" });
    expect(await said()).toEqual(['dismissed', 'commented']);
    await set('auto_approve_clean', false);
  });

  it('nothing is approved whose linked plan nobody approved, and an approval goes with that of the plan', async () => {
    await set('auto_approve_clean', true);
    const { get, id, repository, review } = await open(pushed);
    const { body: plan } = await postPlan(service, acme.member, { repoNames: [repository.fullName] });
    const decide = (action: string, body: object = {}) =>
      act(service, acme.owner, plan, action, body as Record<string, unknown>);
    const said = async () => {
      await service.request('POST', `/api/v2/pull-requests/${id}/review-runs`, {
        as: withSession(acme.member),
        body: {},
      });
      await review();
      const { verdicts } = await get(`/api/v2/pull-requests/${id}`);
      return verdicts.map(({ dismissedAt, note, verdict }: Record<string, string | null>) =>
        dismissedAt === null ? `${verdict}: ${note}` : 'dismissed',
      );
    };
    const { number } = await get(`/api/v2/pull-requests/${id}`);
    await decide('request-changes', { versionId: plan.versionId, note: 'Which rows?' });
    expect((await decide('pull-requests', { prNumber: number })).body.status).toBe('implemented');
    expect(await said()).toEqual([]);
    await decide('approve', { versionId: plan.versionId });
    expect(await said()).toEqual([expect.stringMatching(/^approved: /)]);
    await decide('withdraw-approval');
    expect(await said()).toEqual([
      'dismissed',
      expect.stringMatching(/^commented: .*nobody has approved the linked plan/),
    ]);
    await decide('approve', { versionId: plan.versionId });
    await decide('close');
    expect(await said()).toHaveLength(2);
    await set('auto_approve_clean', false);
  });

  it('a secret that was removed is neither resolved nor approved without a person', async () => {
    for (const key of ['auto_resolve_addressed', 'auto_approve_clean']) await set(key, true);
    const { discussions, get, id, push, review } = await open({
      'src/key.ts': `export const key = '${TOKEN}';\n`,
    });
    await review();
    await push({ 'src/key.ts': 'export const key = process.env.KEY;\n' });
    await review();
    expect(await discussions()).toMatchObject([
      {
        status: 'addressed',
        statusReason: expect.stringMatching(/Earlier commits still have it: revoke it\.$/),
      },
    ]);
    expect((await get(`/api/v2/pull-requests/${id}`)).verdicts).toEqual([]);
    for (const key of ['auto_resolve_addressed', 'auto_approve_clean']) await set(key, false);
  });

  it.each(Object.entries(cases))('%s', async (key, { default: isOn, off, on, run }) => {
    await set(key, true);
    expect(await run()).toEqual(on);
    await set(key, false);
    expect(await run()).toEqual(off);
    await set(key, isOn);
  });
});
