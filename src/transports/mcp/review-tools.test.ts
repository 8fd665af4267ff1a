/** Agents review changes over real HTTP with the official client: true and false claims, second looks, leases, other organizations. */
import { beforeAll, describe, expect, it } from 'vitest';
import { reviewNow, scriptedFinding } from '../../../test/code-hosts/scripted-review.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { connect } from '../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../test/mcp/tool-calls.ts';
import { startReview } from '../../features/reviews/agents/start-review.ts';
import { dismissFinding } from '../../features/reviews/decisions/dismiss-finding.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
type Agent = Awaited<ReturnType<typeof connect>>;
type Repository = Awaited<ReturnType<typeof addRepository>>;
let ada: Agent;
let bob: Agent;
let stranger: Agent;
let repository: Repository;
let base: string;
let pullRequestId: string;
let prNumber: number;

const FILES = {
  'src/money.ts': 'export function format(n: number) {\n  return n;\n}\n',
  'src/page.ts': "import { format } from './money.ts';\nexport const shown = format(1);\n",
  'src/cart.ts': 'export const items: number[] = [];\n',
};
const CHANGED = {
  'src/cart.ts':
    'export const items: number[] = [];\nexport function average(sum: number) {\n  return sum / items.length;\n}\n',
  'src/note.ts': 'export const note = 1;\n',
};
const DIFF = `diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -1,3 +1,4 @@
-export function format(n: number) {
+export function show(n: number) {
+  if (n > 0) return n / 0;
   return n;
 }
`;
const AVERAGE = {
  ...{
    file: 'src/cart.ts',
    line: 3,
    quote: 'return sum / items.length;',
    claim: 'other',
    subject: 'average',
  },
  title: 'Division by zero for an empty cart',
  scenario: 'When the cart has no items, the length is 0 and the average becomes NaN.',
};

beforeAll(async () => {
  ada = await connect(service.url, { 'x-api-key': acme.member.key });
  bob = await connect(service.url, { 'x-api-key': acme.admin.key });
  stranger = await connect(service.url, { 'x-api-key': globex.member.key });
  repository = await addRepository(service, FILES);
  base = await repository.git('rev-parse', 'main');
  await repository.commit(CHANGED, { branch: 'feature', from: base });
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'feature', title: 'Average' },
  });
  pullRequestId = opened.body.id;
  prNumber = opened.body.number;
});

const start = async (agent: Agent, given: object) =>
  (await callTool(agent, 'start_review', { repository: repository.fullName, ...given })).structured;
const report = async (agent: Agent, runId: string, finding: object) =>
  (await callTool(agent, 'report_finding', { runId, ...finding })).structured;
const discussions = async () =>
  (
    await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/discussions`, {
      as: withSession(acme.viewer),
    })
  ).body.discussions as { author: { name: string }; file: string; comments: { body: string }[] }[];

describe('a diff before a push', () => {
  it('is reviewed for the agent alone: proven findings come with it, a false claim is refused with the reason', async () => {
    const started = await start(ada, { diff: DIFF, base, model: 'opus' });
    expect(started).toMatchObject({ mergeBase: base, doNotRaise: [] });
    expect(started.prNumber).toBeUndefined();
    expect(started.found).toMatchObject([{ title: 'format was removed but is still used' }]);
    expect(started.reviewers.map(({ title }: { title: string }) => title)).toContain('Logic Errors');
    expect(started.files).toEqual([
      {
        ...{ path: 'src/money.ts', change: 'modified', added: '1-2' },
        lines:
          '-1: export function format(n: number) {\n+1: export function show(n: number) {\n+2:   if (n > 0) return n / 0;\n',
      },
    ]);
    const finding = {
      file: 'src/money.ts',
      line: 2,
      title: 'Wrong',
      scenario: 'Every positive number becomes infinite.',
    };
    const { runId } = started;
    const unused = { ...finding, quote: 'n / 0', claim: 'missing', subject: 'shown' };
    expect(await report(ada, runId, unused)).toMatchObject({
      ...{ status: 'refused', reason: 'src/page.ts:2 defines shown: export const shown = format(1);' },
    });
    const elsewhere = { ...finding, quote: 'n / 1', claim: 'other', subject: 'show' };
    expect((await report(ada, runId, elsewhere)).reason).toMatch(
      /^The quote is not within 200 lines of line 2/,
    );
    const known = {
      ...finding,
      line: 1,
      quote: 'function format',
      claim: 'removed_but_used',
      subject: 'format',
    };
    expect(await report(ada, runId, known)).toMatchObject({ status: 'duplicate' });
    const gone = { ...finding, quote: 'n / 0', claim: 'missing', subject: './infinity.ts' };
    expect(await report(ada, runId, gone)).toMatchObject({ status: 'accepted', proof: 'proven', line: 2 });
    const finished = await callTool(ada, 'finish_review', {
      runId,
      lookedAt: ['src/money.ts', 'src/page.ts'],
    });
    expect(finished.structured).toMatchObject({
      findings: [{ title: 'format was removed but is still used' }, { title: 'Wrong', proof: 'proven' }],
      notLookedAt: [],
    });
    expect(finished.structured.heldBack).toHaveLength(3);
    expect(await db.selectFrom('agent_reviews').select('patch').where('id', '=', runId).execute()).toEqual([
      { patch: null },
    ]);
    expect(await discussions()).toEqual([]);
  });

  it('follows reviewers, rules and guidelines in files of the base; what was dismissed or is paused is not raised', async () => {
    const rule = (title: string, id: string, pattern: string) =>
      `---\ntitle: ${title}\nkind: rules\n---\n\n\`\`\`yaml\nid: ${id}\nlanguage: ts\nmessage: ${id}\nrule: {pattern: ${pattern}}\n\`\`\`\n`;
    const files = {
      '.countersign/reviewers/logs.md': rule('Logs', 'no-console', 'console.log($A)'),
      '.countersign/reviewers/names.md': '---\ntitle: Names\n---\n\nNames are words.\n',
      'AGENTS.md': 'Use tabs.\n',
      'a.ts': 'export const a = 1;\n',
      'a.test.ts': "it('a', () => {});\n",
    };
    const own = await addRepository(service, files);
    const from = await own.git('rev-parse', 'main');
    const changed = {
      'a.ts': 'export const a = 1;\nconsole.log(a);\n',
      'a.test.ts': "it.only('a', () => {});\n",
      '.countersign/reviewers/more.md': rule('More', 'no-a', 'const a = 1'),
    };
    await own.commit(changed, { branch: 'feature', from });
    await own.refresh();
    const opened = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(acme.member),
      body: { repository: own.fullName, head: 'feature', title: 'Logs' },
    });
    const found = ['one', 'two'].map((subject) => scriptedFinding({ subject, quote: subject }));
    await reviewNow(service, acme, opened.body.id, found);
    const listed = await service.request('GET', `/api/v2/pull-requests/${opened.body.id}/discussions`, {
      as: withSession(acme.viewer),
    });
    for (const { id: discussionId } of listed.body.discussions)
      await service.call(
        dismissFinding,
        { discussionId, reason: 'wrong', scope: 'pull_request' },
        withSession(acme.member),
      );
    const diff = await own.git('diff', from, 'feature');
    const begin = async () =>
      (await callTool(ada, 'start_review', { repository: own.fullName, diff: `${diff}\n`, base: from }))
        .structured;
    const started = await begin();
    // The check for focused tests is paused, and the head can't bring its own reviewer.
    expect(started.found).toMatchObject([{ title: 'no-console', file: 'a.ts', line: 2 }]);
    expect(started.reviewers.slice(-3)).toMatchObject([
      { title: 'Names', instructions: 'Names are words.' },
      { title: 'Logs' },
      { title: 'AGENTS.md', instructions: 'Use tabs.\n' },
    ]);
    const named = {
      ...{ file: 'a.ts', line: 2, quote: 'console.log(a);', claim: 'other', subject: 'a', reviewer: 'Names' },
      ...{ title: 'No word', scenario: 'Nobody knows what a means when they read the log.' },
    };
    expect(await report(ada, started.runId, named)).toMatchObject({ status: 'accepted' });
    const { structured } = await callTool(ada, 'finish_review', { runId: started.runId, lookedAt: [] });
    expect(structured.findings).toMatchObject([{ title: 'no-console' }]);
  });

  it('is one of at most ten at a time, also if they begin at the same time', async () => {
    const as = withSession(acme.member);
    const begun = await Promise.all(
      Array.from({ length: 12 }, () =>
        service.request('POST', '/api/v2/agent-reviews', {
          as,
          body: { repository: repository.fullName, prNumber },
        }),
      ),
    );
    expect(begun.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 409, 409]);
  });

  it('takes results of an analyzer with an API key only', async () => {
    const input = { repository: repository.fullName, prNumber, tool: 'CodeQL' };
    await expect(
      startReview.run({ actor: { kind: 'oauth' } } as never, input as never, {} as never),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('must apply to a commit that was pushed', async () => {
    const given = { repository: repository.fullName, base };
    expect(
      await failTool(ada, 'start_review', { ...given, diff: DIFF.replace('return n;', 'return m;') }),
    ).toMatch(/does not apply to `base`.*patch does not apply/s);
    expect(await failTool(ada, 'start_review', { ...given, base: 'f'.repeat(40), diff: DIFF })).toMatch(
      /has no branch, tag or commit/,
    );
    await repository.commit({ 'pushed.txt': 'x\n' }, { branch: 'just-pushed', from: base });
    await callTool(ada, 'start_review', { repository: repository.fullName, branch: 'just-pushed' });
    expect(await failTool(ada, 'start_review', { repository: repository.fullName })).toMatch(
      /send one of `prNumber`, `branch` and `diff`/,
    );
  });
});

describe('a pull request', () => {
  it('gets a finding that a second look confirmed once, however many report it at once', async () => {
    const { runId, files } = await start(ada, { branch: 'feature' });
    expect(files.map(({ path }: { path: string }) => path)).toEqual(['src/cart.ts', 'src/note.ts']);
    const reports = await Promise.all(
      [AVERAGE, AVERAGE, { ...AVERAGE, line: 1, quote: 'sum / items' }].map((each) =>
        report(ada, runId, each),
      ),
    );
    expect(reports.map(({ status }) => status).sort()).toEqual(['accepted', 'duplicate', 'duplicate']);
    const nothing = await callTool(ada, 'verify_findings', { runId });
    expect(nothing.structured.findings).toEqual([]);

    const second = await start(ada, { prNumber });
    const { findings } = (await callTool(ada, 'verify_findings', { runId: second.runId })).structured;
    expect(findings).toMatchObject([{ title: AVERAGE.title, quote: `  ${AVERAGE.quote}` }]);
    expect(findings[0].scenario).toBeUndefined();
    const verdict = {
      findingId: findings[0].findingId,
      verdict: 'confirmed',
      reason: 'items starts out empty, key AKIAZ7XQ4JH2LMNPQRST.',
    };
    expect(await failTool(ada, 'verify_findings', { runId, verdicts: [verdict] })).toMatch(
      /is not a finding that another/,
    );
    const judged = await callTool(ada, 'verify_findings', { runId: second.runId, verdicts: [verdict] });
    expect(judged.structured).toMatchObject({ recorded: 1, findings: [] });
    await callTool(ada, 'finish_review', { runId: second.runId, lookedAt: [] });
    expect(await discussions()).toEqual([]);

    const finished = await callTool(ada, 'finish_review', {
      runId,
      lookedAt: ['src/cart.ts', 'src/other.ts'],
    });
    expect(finished.structured).toMatchObject({
      prNumber,
      findings: [{ line: 3 }],
      notLookedAt: ['src/note.ts'],
    });
    const [discussion, ...others] = await discussions();
    expect(others).toEqual([]);
    expect(discussion).toMatchObject({
      ...{ author: { name: 'Logic Errors' }, file: 'src/cart.ts' },
      commentedCode: '  return sum / items.length;',
    });
    expect(discussion!.comments[0]!.body).toMatch(
      /Reported by claude-code for .*\n\nA second look for .* confirmed it: items starts out empty, key AKIA…\./s,
    );
    const again = await start(bob, { prNumber });
    expect(again.doNotRaise).toMatchObject([{ title: AVERAGE.title }]);
    expect(await report(bob, again.runId, AVERAGE)).toMatchObject({ status: 'duplicate' });
    const runs = await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/review-runs`, {
      as: withSession(acme.viewer),
    });
    expect(runs.body.runs).toContainEqual(
      expect.objectContaining({ trigger: 'agent', state: 'done', findings: 1 }),
    );
    expect(await failTool(ada, 'report_finding', { runId, ...AVERAGE })).toMatch(/This review is finished/);
  });

  it('gets a finding that two people reported independently, once', async () => {
    const finding = {
      ...{ file: 'src/note.ts', line: 1, quote: 'export const note = 1;', claim: 'other', subject: 'note' },
      title: 'The note is a number',
      scenario: 'Pages that show the note print 1 instead of text.',
    };
    const [one, other] = await Promise.all([start(ada, { prNumber }), start(bob, { prNumber })]);
    await Promise.all([report(ada, one.runId, finding), report(bob, other.runId, finding)]);
    const finished = await Promise.all([
      callTool(ada, 'finish_review', { runId: one.runId, lookedAt: [] }),
      callTool(bob, 'finish_review', { runId: other.runId, lookedAt: [] }),
    ]);
    expect(finished.flatMap(({ structured }) => structured.findings)).toHaveLength(1);
    expect((await discussions()).filter(({ file }) => file === 'src/note.ts')).toHaveLength(1);
  });

  it('gets a proven finding, whatever others say about the same line; shared words confirm nothing', async () => {
    const { git } = repository;
    await repository.commit(
      { 'src/unused.ts': 'export const spare = 1 / Number(process.env.PARTS);\n' },
      { branch: 'spare', from: base },
    );
    await repository.refresh();
    const opened = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(acme.member),
      body: { repository: repository.fullName, head: 'spare', title: 'Spare' },
    });
    const change = { prNumber: opened.body.number as number };
    const at = { file: 'src/unused.ts', line: 1, quote: (await git('show', 'spare:src/unused.ts')).trim() };
    const text = {
      title: 'Division by zero in spare',
      scenario: 'When the variable PARTS is not set, spare is infinite and nothing uses it.',
    };
    const wrong = { ...at, ...text, claim: 'other', subject: 'spare' };
    const [one, other] = [await start(ada, change), await start(bob, change)];
    expect(await report(ada, one.runId, wrong)).toMatchObject({ status: 'accepted', proof: 'unverified' });
    // Another person's false report, with the same text.
    const secret = { ...wrong, claim: 'secret', subject: 'PARTS' };
    expect(await report(bob, other.runId, secret)).toMatchObject({ status: 'accepted', proof: 'unverified' });
    const unused = { ...wrong, claim: 'unused', title: 'Nothing uses spare' };
    for (const [agent, { runId }] of [
      [ada, one],
      [bob, other],
    ] as const) {
      expect(await report(agent, runId, unused)).toMatchObject({
        status: agent === ada ? 'accepted' : 'duplicate',
      });
      const finished = (await callTool(agent, 'finish_review', { runId, lookedAt: [] })).structured;
      expect(finished.findings).toMatchObject(
        agent === ada ? [{ title: unused.title, proof: 'proven' }] : [],
      );
      expect(
        finished.heldBack.map(({ discussionStatus }: { discussionStatus?: string }) => discussionStatus),
      ).toEqual(agent === ada ? [undefined] : [undefined, 'open']);
    }
  });

  it('gets no finding that nobody confirmed, or that was refuted', async () => {
    const finding = {
      ...AVERAGE,
      subject: 'items',
      title: 'Sums overflow',
      scenario: 'A sum beyond the largest number is infinite.',
    };
    const { runId } = await start(ada, { prNumber });
    expect(await report(ada, runId, { ...finding, line: 2, quote: 'average(sum: number)' })).toMatchObject({
      status: 'accepted',
      proof: 'unverified',
    });
    const second = await start(bob, { prNumber });
    const { findings } = (await callTool(bob, 'verify_findings', { runId: second.runId })).structured;
    const mine = findings.find(({ title }: { title: string }) => title === finding.title);
    const reason = 'Numbers do not overflow here.';
    await callTool(bob, 'verify_findings', {
      runId: second.runId,
      verdicts: [{ findingId: mine.findingId, verdict: 'refuted', reason }],
    });
    const { structured } = await callTool(ada, 'finish_review', { runId, lookedAt: [] });
    expect(structured.findings).toEqual([]);
    expect(structured.heldBack[0].reason).toContain(reason);
  });
});

it('belongs to the person who started it, and ends when no call comes for 30 minutes', async () => {
  const { runId } = await start(ada, { prNumber });
  for (const other of [bob, stranger]) {
    for (const [tool, given] of [
      ['report_finding', AVERAGE],
      ['verify_findings', {}],
      ['finish_review', { lookedAt: [] }],
      ['start_review', {}],
    ] as const) {
      expect(await failTool(other, tool, { runId, ...given })).toMatch(/The review was not found/);
    }
  }
  clock.advance(29 * 60_000);
  await callTool(ada, 'verify_findings', { runId });
  clock.advance(29 * 60_000);
  await callTool(ada, 'start_review', { runId });
  clock.advance(31 * 60_000);
  expect(await failTool(ada, 'finish_review', { runId, lookedAt: [] })).toMatch(/This review expired/);
  const row = await db
    .selectFrom('agent_reviews')
    .select('finished_at')
    .where('id', '=', runId)
    .executeTakeFirst();
  expect(row).toEqual({ finished_at: null });
});

it('is sent in pages, and only what was sent whole counts as looked at', async () => {
  const text = Array.from({ length: 400 }, (_, n) => `export const value${n} = ${n};\n`).join('');
  await repository.commit({ 'a.ts': text, 'b.ts': text }, { branch: 'large', from: base });
  await repository.refresh();
  const first = await start(ada, { branch: 'large', maxTokens: 4000 });
  expect(first.nextCursor).toBeTypeOf('string');
  const { runId } = first;
  const pages = [first];
  while (pages.at(-1).nextCursor) {
    if (pages.length === 2) break;
    const given = { runId, maxTokens: 4000, cursor: pages.at(-1).nextCursor };
    pages.push((await callTool(ada, 'start_review', given)).structured);
  }
  const { structured } = await callTool(ada, 'finish_review', { runId, lookedAt: ['a.ts', 'b.ts'] });
  expect(structured.notLookedAt).toEqual(['b.ts']);
});

it('is not started by a call with an unusable cursor, and warns of reviewers that do not exist', async () => {
  const openOnes = () =>
    db
      .selectFrom('agent_reviews')
      .select((of) => of.fn.countAll().as('count'))
      .executeTakeFirst();
  const before = await openOnes();
  const given = { repository: repository.fullName, prNumber };
  expect(await failTool(ada, 'start_review', { ...given, cursor: 'garbage' })).toMatch(/cursor/);
  expect(await openOnes()).toEqual(before);
  const { reviewers, warning } = await start(ada, { prNumber, reviewers: ['secrets', 'Nobody'] });
  expect(reviewers.map(({ title }: { title: string }) => title)).toEqual(['Secrets']);
  expect(warning).toMatch(/^There is no reviewer “Nobody”\. Reviewers: .*Secrets/);
});

it('ends without findings when the pull request has a newer head', async () => {
  const { runId } = await start(ada, { prNumber });
  await db
    .updateTable('pull_requests')
    .set({ head_commit: 'f'.repeat(40) })
    .where('id', '=', pullRequestId)
    .execute();
  const finish = () => failTool(ada, 'finish_review', { runId, lookedAt: [] });
  expect(await finish()).toMatch(/has a newer head, so nothing was published\. This review is closed/);
  expect(await finish()).toMatch(/This review is finished/);
});
