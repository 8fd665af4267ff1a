/** wait_for_review for pull requests, over real HTTP: actions of others end the wait, the agent's own do not. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeDiscussion } from '../../../../test/helpers/rows/discussions.ts';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect } from '../../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../../test/mcp/tool-calls.ts';
import type { Context } from '../../../context.ts';
import { operations } from '../../../operations.ts';
import type { Operation } from '../../../platform/core/operations/operation.ts';

/** The number of calls that are waiting now. */
let waiters = 0;
const service = await startTestService({ operations: operations.map(counting) });
const { acme, db } = service;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });

/** The operation, with a count of the calls that wait in it. */
function counting(operation: Operation<Context>): Operation<Context> {
  if (operation.name !== 'wait-for-pull-request-changes') return operation;
  return {
    ...operation,
    async run(context, input, prepared) {
      waiters += 1;
      try {
        return await operation.run(context, input as never, prepared);
      } finally {
        waiters -= 1;
      }
    },
  } as Operation<Context>;
}

async function pullRequest() {
  const branch = `feature/${randomUUID()}`;
  const made = await makePullRequest(service, api, { headBranch: branch });
  const discussionId = await makeDiscussion(db, {
    organizationId: acme.id,
    repositoryId: api.id,
    pullRequestId: made.id,
  });
  return { ...made, discussionId, given: { repository: 'api', branch } };
}
type Made = Awaited<ReturnType<typeof pullRequest>>;

const act = (path: string, body: object, { as = acme.owner, method = 'POST' } = {}) =>
  service.request(method as 'POST', `/api/v2/${path}`, { as: withSession(as as Person), body });
const reply = ({ discussionId }: Made, body: string) => act(`discussions/${discussionId}/replies`, { body });

/** Starts a wait, and acts once it is waiting. */
async function whileWaiting(client: Client, given: object, action: () => Promise<unknown>) {
  const before = waiters;
  const waiting = callTool(client, 'wait_for_review', { timeoutSeconds: 55, ...given });
  await vi.waitFor(() => expect(waiters).toBe(before + 1), { timeout: 30_000, interval: 10 });
  await action();
  return (await waiting).structured;
}

describe('over MCP', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(service.url, { 'x-api-key': acme.member.key });
  });

  it.each<[string, (made: Made) => Promise<unknown>, object]>([
    [
      'a verdict, with its note',
      ({ id }) => act(`pull-requests/${id}/reviews`, { verdict: 'changes_requested', note: 'Too slow.' }),
      { kind: 'pull_request_reviewed', verdict: 'changes_requested', note: 'Too slow.' },
    ],
    [
      'a reply, with its text',
      (made) => reply(made, 'Still wrong.'),
      { kind: 'discussion_replied', body: 'Still wrong.' },
    ],
    [
      'a comment on the pull request',
      ({ id }) => act(`pull-requests/${id}/comments`, { body: 'Rebase, please.' }),
      { kind: 'pull_request_commented', body: 'Rebase, please.' },
    ],
    [
      'a changed discussion, with the reason',
      ({ discussionId }) =>
        act(`discussions/${discussionId}`, { status: 'resolved', reason: 'Fine.' }, { method: 'PATCH' }),
      { kind: 'discussion_status_changed', status: 'resolved', note: 'Fine.' },
    ],
    [
      'a changed state',
      ({ id }) => act(`pull-requests/${id}`, { state: 'closed' }, { method: 'PATCH' }),
      { kind: 'pull_request_state_changed', status: 'closed' },
    ],
  ])('returns on %s', async (_what, action, event) => {
    const made = await pullRequest();
    const structured = await whileWaiting(client, made.given, () => action(made));
    expect(structured).toMatchObject({
      pullRequestNumber: made.number,
      url: `${service.url}/pull-requests/${made.id}`,
      outcome: 'changed',
      since: 2,
      events: [{ by: 'Acme owner', at: expect.any(String), ...event }],
    });
    if ('discussionId' in structured.events[0])
      expect(structured.events[0].discussionId).toBe(made.discussionId);
  });

  it('keeps waiting when the agent itself replies, and when nobody reviewed anything', async () => {
    const made = await pullRequest();
    const structured = await whileWaiting(client, made.given, async () => {
      await client.callTool({
        name: 'reply_to_discussion',
        arguments: { discussionId: made.discussionId, body: 'Mine.' },
      });
      await act(`pull-requests/${made.id}/review-requests`, { userIds: [acme.admin.userId] });
      await reply(made, 'Theirs.');
    });
    expect(structured.events).toMatchObject([{ kind: 'discussion_replied', body: 'Theirs.' }]);
    expect(structured).toMatchObject({ since: 4, status: 'open' });
    expect(structured.next).toMatch(
      /^One discussion is open: `get_branch_discussions` shows it\. Fix the code/,
    );
  });

  it('continues after `since` of get_branch_discussions, and after a timeout', async () => {
    const made = await pullRequest();
    const { since } = (await callTool(client, 'get_branch_discussions', made.given)).structured;
    const wait = async (from: number) =>
      (await callTool(client, 'wait_for_review', { ...made.given, since: from, timeoutSeconds: 0 }))
        .structured;
    expect(await wait(since)).toMatchObject({
      outcome: 'timeout',
      since,
      events: [],
      next: expect.stringContaining(`Call again with since ${since} to keep waiting`),
    });
    await reply(made, 'One.');
    await act(`pull-requests/${made.id}/reviews`, { verdict: 'approved', commit: 'a'.repeat(40) });
    const later = await wait(since);
    expect(later.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'discussion_replied',
      'pull_request_reviewed',
    ]);
    expect(await wait(later.since)).toMatchObject({ outcome: 'timeout' });
  });

  it('says approved only if nobody else requested changes, and of the newest head', async () => {
    const made = await pullRequest();
    await act(
      `discussions/${made.discussionId}`,
      { status: 'resolved', reason: 'Done.' },
      { method: 'PATCH' },
    );
    const nextAfter = async (verdict: string, as: Person) => {
      const body = { verdict, note: 'x', commit: 'a'.repeat(40) };
      expect((await act(`pull-requests/${made.id}/reviews`, body, { as: as as never })).status).toBe(200);
      const given = { ...made.given, since: 0, timeoutSeconds: 0 };
      return (await callTool(client, 'wait_for_review', given)).structured.next;
    };
    expect(await nextAfter('approved', acme.owner)).toContain('Reviewers approved: tell the user');
    expect(await nextAfter('changes_requested', acme.admin)).toContain('Act on the notes');
    expect(await nextAfter('approved', acme.admin)).toContain('Reviewers approved: tell the user');
    await db
      .updateTable('pull_requests')
      .set({ head_commit: 'b'.repeat(40) })
      .where('id', '=', made.id)
      .execute();
    const { next } = (
      await callTool(client, 'wait_for_review', { ...made.given, since: 0, timeoutSeconds: 0 })
    ).structured;
    expect(next).toContain('Reviewers approved an earlier commit, or');
  });

  it('does not wait for a pull request that is closed, nor for one that does not exist', async () => {
    const made = await pullRequest();
    await act(`pull-requests/${made.id}`, { state: 'closed' }, { method: 'PATCH' });
    expect((await callTool(client, 'wait_for_review', made.given)).structured).toMatchObject({
      outcome: 'decided',
      status: 'closed',
      events: [],
      next: expect.stringMatching(/^The pull request was closed/),
    });
    expect(await failTool(client, 'wait_for_review', { repository: 'api', branch: 'none' })).toMatch(
      /\(not_found\)\.\n[\s\S]*\ndetail: The branch has no pull request\./,
    );
    const given = { ...made.given, since: 500 };
    expect(await failTool(client, 'wait_for_review', given)).toContain(
      '- `since` is greater than the last event number of this pull request.',
    );
  });

  it('stays within the budget; following `since` returns all of it', async () => {
    const made = await pullRequest();
    const texts = Array.from({ length: 6 }, (_, number) => `${number} ${'"words" '.repeat(60)}`.trim());
    for (const text of texts) await reply(made, text);
    const received: string[] = [];
    for (let since = 1; ; ) {
      const given = { ...made.given, since, timeoutSeconds: 0, maxTokens: 600 };
      const { structured } = await callTool(client, 'wait_for_review', given);
      if (structured.outcome === 'timeout') break;
      received.push(...structured.events.map(({ body }: { body: string }) => body));
      since = structured.since;
    }
    expect(received).toEqual(texts);
  });
});

it('fails if the repository is hidden from the agent while it waits, and returns nothing', async () => {
  const hidden = await makeRepositoryRow(service, acme.id, { members: [acme.member] });
  const branch = 'feature';
  const { id } = await makePullRequest(service, hidden, { headBranch: branch });
  const client = await connect(service.url, { 'x-api-key': acme.member.key });
  const before = waiters;
  const waiting = failTool(client, 'wait_for_review', { repository: hidden.name, branch });
  await vi.waitFor(() => expect(waiters).toBe(before + 1), { timeout: 30_000, interval: 10 });
  await db.deleteFrom('repository_members').where('repository_id', '=', hidden.id).execute();
  await act(`pull-requests/${id}/comments`, { body: 'Secret.' });
  const text = await waiting;
  expect(text).toContain('(not_found)');
  expect(text).not.toContain('Secret.');
});
