/**
 * Everything that lets work go ahead because of a plan, against every way a plan can get where it is: only the approval of its newest version
 * by a person passes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { BY_SERVICE, withPullRequestAs } from '../../../src/features/pull-requests/index.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';
import { CHECKOUT, COMMAND } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { act, type PostedPlan, postPlan, postVersion, read } from '../../helpers/rows/plans.ts';
import { makePullRequest, makeRepositoryRow } from '../../helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../helpers/service/harness.ts';
import { connect } from '../../mcp/clients.ts';
import { callTool } from '../../mcp/tool-calls.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const service = await startTestService();
const { acme, clock, db } = service;
const { member, owner } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const client = await connect(service.url, { 'x-api-key': member.key }, '2026-07-28');
const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: member.key };
afterAll(async () => {
  await client.close();
  await cleanUp();
});

/** A plan on its way to one of the states. */
interface Case extends PostedPlan {
  content: string;
  pullRequest: { id: string; number: number };
}

const ok = ({ body, status }: { status: number; body: unknown }) =>
  expect([status, body]).toEqual([200, body]);
const steps = {
  approve: async (plan: Case) => ok(await act(service, owner, plan, 'approve', pick(plan))),
  withdraw: async (plan: Case) => ok(await act(service, owner, plan, 'withdraw-approval')),
  requestChanges: async (plan: Case) =>
    ok(await act(service, owner, plan, 'request-changes', { ...pick(plan), note: 'Which rows?' })),
  close: async (plan: Case) => ok(await act(service, owner, plan, 'close')),
  reopen: async (plan: Case) => ok(await act(service, owner, plan, 'reopen')),
  markImplemented: async (plan: Case) => ok(await act(service, owner, plan, 'mark-implemented')),
  link: async (plan: Case) =>
    ok(
      await service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, {
        as: withKey(member),
        body: { prNumber: plan.pullRequest.number, repoId: api.id },
      }),
    ),
  merge: (plan: Case) =>
    withPullRequestAs(
      { db, announce: () => undefined },
      { ...BY_SERVICE, organizationId: acme.id },
      plan.pullRequest.id,
      clock.now(),
      async (change) => change.setState('merged'),
    ),
  change: async (plan: Case) => post(plan, `${plan.content}More.\n`),
  postAgain: async (plan: Case) => post(plan, plan.content),
};
const pick = ({ versionId }: Case) => ({ versionId });
async function post(plan: Case, content: string): Promise<void> {
  Object.assign(plan, await postVersion(service, member, plan, content), { content });
}

type Step = keyof typeof steps;
type ReviewState = 'approved' | 'awaiting_review' | 'changes_requested' | null;
const EXITS = { approved: 0, awaiting_review: 6, changes_requested: 5, linked: 8, closed: 7 };

/** How it got there, and where it is: the status, and what was decided about the newest version. */
const STATES: [Step[], string, ReviewState][] = [
  [[], 'pending', 'awaiting_review'],
  [['requestChanges'], 'pending', 'changes_requested'],
  [['link'], 'implemented', 'awaiting_review'],
  [['requestChanges', 'link'], 'implemented', 'changes_requested'],
  [['link', 'requestChanges'], 'implemented', 'changes_requested'],
  [['approve'], 'approved', 'approved'],
  [['approve', 'postAgain'], 'approved', 'approved'],
  [['approve', 'withdraw'], 'pending', 'awaiting_review'],
  [['approve', 'withdraw', 'link'], 'implemented', 'awaiting_review'],
  [['approve', 'link'], 'approved', 'approved'],
  [['approve', 'link', 'merge'], 'implemented', 'approved'],
  [['approve', 'link', 'merge', 'withdraw'], 'implemented', 'awaiting_review'],
  [['approve', 'markImplemented'], 'implemented', 'approved'],
  [['approve', 'markImplemented', 'requestChanges'], 'implemented', 'changes_requested'],
  [['link', 'approve'], 'implemented', 'approved'],
  [['requestChanges', 'link', 'approve'], 'implemented', 'approved'],
  [['link', 'approve', 'postAgain'], 'implemented', 'approved'],
  [['link', 'approve', 'withdraw'], 'implemented', 'awaiting_review'],
  [['approve', 'change'], 'pending', 'awaiting_review'],
  [['approve', 'change', 'link'], 'implemented', 'awaiting_review'],
  [['link', 'approve', 'change'], 'pending', 'awaiting_review'],
  [['close'], 'closed', null],
  [['approve', 'close'], 'closed', null],
  [['link', 'approve', 'close'], 'closed', null],
  [['approve', 'close', 'link'], 'closed', null],
  [['approve', 'close', 'reopen'], 'pending', 'awaiting_review'],
  [['link', 'approve', 'close', 'reopen', 'link'], 'implemented', 'awaiting_review'],
];

const cases: { name: string; plan: Case; status: string; reviewState: ReviewState; exit: number }[] = [];
beforeAll(async () => {
  for (const [taken, status, reviewState] of STATES) {
    const content = '# Faster exports\n\nStream the rows.\n';
    const plan: Case = {
      ...(await postPlan(service, member, { content, agentVendor: 'claude-code' })).body,
      content,
      pullRequest: await makePullRequest(service, api),
    };
    for (const step of taken) await steps[step](plan);
    const isLinked = status === 'implemented' && reviewState !== 'approved';
    const exit = reviewState === null ? EXITS.closed : isLinked ? EXITS.linked : EXITS[reviewState];
    cases.push({ name: taken.join(', ') || 'posted', plan, status, reviewState, exit });
  }
});

/** The answer of a gate for each plan, by how the plan got there. */
async function ofEach<Said>(say: (of: (typeof cases)[number]) => Promise<Said> | Said) {
  const said: Record<string, Said> = {};
  for (const each of cases) said[each.name] = await say(each);
  return said;
}

describe('an approval of the newest version by a person is all that passes', () => {
  it('in the API: a plan, lists of plans, its changes, and the plans of a pull request', async () => {
    const list = await service.request('GET', '/api/v2/plans?limit=100', { as: withSession(member) });
    const listed = new Map<string, object>(
      list.body.plans.map((plan: { seriesId: string }) => [plan.seriesId, plan]),
    );
    const seen = await ofEach(async ({ plan }) => {
      const linked = await service.request('GET', `/api/v2/pull-requests/${plan.pullRequest.id}`, {
        as: withSession(member),
      });
      const bodies = [
        (await read(service, member, plan)).body,
        listed.get(plan.seriesId),
        (await read(service, member, plan, '/changes?waitSeconds=0')).body,
        ...linked.body.plans,
      ];
      return [...new Set(bodies.map(({ reviewState, status }) => `${status} ${reviewState}`))];
    });
    expect(seen).toEqual(await ofEach(({ reviewState, status }) => [`${status} ${reviewState}`]));
  });

  it('in what agents are told: only then are they sent on', async () => {
    const told = await ofEach(async ({ plan: { seriesId: planId } }) => {
      const { structured } = await callTool(client, 'get_plan', { planId });
      const waited = (await callTool(client, 'wait_for_review', { planId, timeoutSeconds: 0 })).structured;
      const isSentOn = ({ next }: { next: string }) =>
        /^(Approved|The plan is implemented|A pull request implements)/.test(next);
      return {
        status: [structured.status, waited.status],
        reviewState: [structured.reviewState, waited.reviewState],
        isSentOn: [isSentOn(structured), isSentOn(waited)],
        decided: waited.outcome === 'decided',
      };
    });
    expect(told).toEqual(
      await ofEach(({ reviewState, status }) => ({
        status: [status, status],
        reviewState: [reviewState ?? undefined, reviewState ?? undefined],
        isSentOn: [reviewState === 'approved', reviewState === 'approved'],
        decided: reviewState === 'approved' || status === 'closed',
      })),
    );
  });

  it('in `countersign plan status`, with an exit code and words of its own for what is only linked', async () => {
    const exits = await ofEach(async ({ plan }) => {
      const { code, stdout } = await runInProcess(['plan', 'status', plan.seriesId], { env });
      return [code, stdout.startsWith('linked, not approved')];
    });
    expect(exits).toEqual(await ofEach(({ exit }) => [exit, exit === EXITS.linked]));
  });

  it('in `countersign plan wait`, which goes on waiting for a plan that is only linked', async () => {
    const wait = async (taken: string, timeout = '1s') => {
      const { plan } = cases.find(({ name }) => name === taken)!;
      return (await runInProcess(['plan', 'wait', plan.seriesId, '--timeout', timeout], { env })).code;
    };
    expect(await wait('link')).toBe(EXITS.linked);
    expect(await wait('requestChanges, link', '1h')).toBe(EXITS.linked);
    expect(await wait('link, approve', '1h')).toBe(0);
    const plan: Case = {
      ...(await postPlan(service, member)).body,
      content: '',
      pullRequest: await makePullRequest(service, api),
    };
    await steps.link(plan);
    const waiting = runInProcess(['plan', 'wait', plan.seriesId, '--timeout', '1m'], { env });
    await steps.approve(plan);
    expect((await waiting).code).toBe(0);
  });
});

describe('programs that act on it do the same', () => {
  const TAKEN = [
    ...['link', 'requestChanges, link', 'link, approve', 'approve, withdraw', 'approve, change'],
    ...['approve, close, reopen', 'approve, close'],
  ];
  const home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  writeFileSync(join(home, 'bin', 'countersign'), program, { mode: 0o755 });
  const place = { ...env, PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`, HOME: home };

  /** At the same time, because starting a program takes a second. */
  async function ofSome<Said>(say: (of: (typeof cases)[number]) => Promise<Said> | Said) {
    const some = cases.filter(({ name }) => TAKEN.includes(name));
    expect(some).toHaveLength(TAKEN.length);
    return Promise.all(some.map(async (each) => [each.name, await say(each)]));
  }

  it('the hook of Claude Code', async () => {
    const hook = join(CHECKOUT, 'integrations/claude-code/hooks/plan-review.sh');
    const said = await ofSome(async ({ plan }) => {
      const { stdout } = await runProgram('sh', [hook], {
        ...{ ...place, CLAUDE_PLUGIN_DATA: home, COUNTERSIGN_PLAN_REVIEW: 'always' },
        COUNTERSIGN_REVIEW_MINUTES: '0.001',
        input: JSON.stringify({
          session_id: plan.seriesId,
          hook_event_name: 'PermissionRequest',
          tool_name: 'ExitPlanMode',
          tool_input: { plan: plan.content },
        }),
      });
      return JSON.parse(stdout).hookSpecificOutput?.decision.behavior ?? 'up to you';
    });
    expect(said).toEqual(
      await ofSome(({ reviewState, status }) =>
        reviewState === 'approved' ? 'allow' : status === 'closed' ? 'deny' : 'up to you',
      ),
    );
  });

  it('the GitHub Action', async () => {
    const exits = await ofSome(async ({ plan }) => {
      const { code } = await runProgram('bash', [join(CHECKOUT, 'integrations/github-action/run.sh')], {
        ...{ ...place, GITHUB_OUTPUT: join(home, plan.seriesId) },
        ...{
          INPUT_COMMAND: 'plan status',
          INPUT_FILE: plan.seriesId,
          INPUT_PACKAGE: '',
          INPUT_PACKAGE_SHA: '',
        },
        INPUT_ALLOWED_EXIT_CODES: '',
      });
      return code;
    });
    expect(exits).toEqual(await ofSome(({ exit }) => exit));
  });

  it('the GitLab template', async () => {
    const jobs = parse(readFileSync(join(CHECKOUT, 'integrations/gitlab-ci/countersign.yml'), 'utf8'));
    const wait = jobs['.countersign-plan'].script.at(-1);
    const exits = await ofSome(async ({ plan }) => {
      const variables = { PLAN_FILE: plan.seriesId, PLAN_TIMEOUT: '1s' };
      return (await runProgram('sh', ['-ec', wait], { ...place, ...variables })).code;
    });
    expect(exits).toEqual(await ofSome(({ exit }) => exit));
  });
});

/** Not waited for synchronously: the service is in this process. */
async function runProgram(program: string, words: string[], variables: Record<string, string | undefined>) {
  const { input = '', ...own } = variables;
  const child = spawn(program, words, { env: { PATH: process.env.PATH, ...own } });
  child.stdin.on('error', () => undefined).end(input);
  child.stderr.resume();
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, stdout };
}
