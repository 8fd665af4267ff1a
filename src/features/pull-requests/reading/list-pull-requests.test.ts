/** Listing and counting pull requests over HTTP: who sees which, every filter, and paging. */
import { describe, expect, it } from 'vitest';
import {
  makeHostAccount,
  makePullRequest,
  makeRepositoryRow,
} from '../../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, db, globex } = service;
const { admin, member, owner, viewer } = acme;

const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const secret = await makeRepositoryRow(service, acme.id, { name: 'acme/secret', members: [viewer] });
const foreign = await makeRepositoryRow(service, globex.id, { name: 'globex/api' });
const account = await makeHostAccount(service, acme.id, { name: 'Mona', linkedTo: member });

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const add = (minute: number, repository: { id: string }, options: Parameters<typeof makePullRequest>[2]) =>
  makePullRequest(service, repository, { createdAt: at(minute), updatedAt: at(minute), ...options });

const first = await add(1, api, { title: 'Fix the Parser', author: member });
const draft = await add(2, api, {
  title: 'Rework',
  state: 'draft',
  author: owner,
  headBranch: 'rework/parser',
});
const merged = await add(3, api, { state: 'merged', author: owner, mergedAt: at(3), closedAt: at(3) });
const closed = await add(4, api, { state: 'closed', author: member, closedAt: at(4) });
const hidden = await add(5, secret, { author: owner });
const fromHost = await add(6, api, {
  author: { kind: 'person', userId: null, accountId: account, name: 'mona' },
  title: 'From the host',
  labels: ['bug'],
});
await add(7, foreign, { author: globex.member });

await db
  .updateTable('pull_requests')
  .set({ open_discussion_count: 2, discussion_count: 3 })
  .where('id', '=', draft.id)
  .execute();
await service.request('POST', `/api/v2/pull-requests/${draft.id}/review-requests`, {
  as: withSession(owner),
  body: { userIds: [member.userId] },
});
await db
  .updateTable('pull_requests')
  .set({ updated_at: at(2) })
  .where('id', '=', draft.id)
  .execute();

await db
  .insertInto('pull_request_assignees')
  .values(
    [merged, hidden, first].map(({ id }) => ({
      ...{ pull_request_id: id, user_id: member.userId, organization_id: acme.id, assigned_at: at(1) },
    })),
  )
  .execute();

async function list(query: Record<string, string>, person: Person = member) {
  const path = `/api/v2/pull-requests?${new URLSearchParams(query)}`;
  const { body, status } = await service.request('GET', path, { as: withSession(person) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { pullRequests: { id: string }[]; nextCursor: string | null };
}
const ids = async (query: Record<string, string>, person?: Person) =>
  (await list(query, person)).pullRequests.map(({ id }) => id);

describe('the list', () => {
  it('shows open and drafted ones in repositories that the caller can see, most recently updated first', async () => {
    expect(await ids({})).toEqual([fromHost.id, draft.id, first.id]);
    expect(await ids({}, viewer)).toEqual([fromHost.id, hidden.id, draft.id, first.id]);
    expect(await ids({}, admin)).toEqual([fromHost.id, hidden.id, draft.id, first.id]);
  });

  it.each([
    ['state', { state: 'draft' }, [draft]],
    ['merged', { state: 'merged' }, [merged]],
    ['every state', { state: 'all' }, [fromHost, closed, merged, draft, first]],
    ['mine, with those of a linked account', { scope: 'mine' }, [fromHost, first]],
    ['mine in every state', { scope: 'mine', state: 'all' }, [fromHost, closed, first]],
    ['waiting for me: a draft asks nobody', { scope: 'waiting' }, []],
    ['an author', { authorId: owner.userId, state: 'all' }, [merged, draft]],
    ['a label', { label: 'bug' }, [fromHost]],
    ['a label in other letters', { label: 'Bug' }, []],
    ['an assignee', { assigneeId: member.userId, state: 'all' }, [merged, first]],
    ['an assignee and a state', { assigneeId: member.userId }, [first]],
    ['open discussions', { openDiscussions: 'true' }, [draft]],
    ['a word of the title in any case', { search: 'PARSER' }, [draft, first]],
    ['a number', { search: `#${first.number}` }, [first]],
    ['a repository', { repositoryId: api.id }, [fromHost, draft, first]],
    ['a repository that is hidden from me', { repositoryId: secret.id }, []],
    ['a repository of another organization', { repositoryId: foreign.id }, []],
    ['characters that a pattern would interpret', { search: '%' }, []],
  ])('filters by %s', async (_, query, expected) => {
    expect(await ids(query)).toEqual(expected.map(({ id }) => id));
  });

  it('pages without losing or repeating any', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list({ state: 'all', limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.pullRequests.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([fromHost.id, closed.id, merged.id, draft.id, first.id]);
  });

  it('shows a linked account as the member, and what waits for the caller', async () => {
    const { pullRequests } = await list({});
    expect(pullRequests[0]).toMatchObject({
      repository: api,
      author: { kind: 'person', id: member.userId, name: member.name },
      labels: ['bug'],
      assignees: [],
      waitingForMe: false,
      verdict: null,
    });
    expect(pullRequests[1]).toMatchObject({ openDiscussions: 2, discussions: 3, waitingForMe: false });
  });
});

describe('the counts', () => {
  it('count what is open and visible', async () => {
    const counts = async (person: Person) =>
      (await service.request('GET', '/api/v2/pull-requests/counts', { as: withSession(person) })).body;
    expect(await counts(member)).toEqual({ mine: 2, waiting: 0 });
    await db.updateTable('pull_requests').set({ state: 'open' }).where('id', '=', draft.id).execute();
    expect(await counts(member)).toEqual({ mine: 2, waiting: 1 });
    const { pullRequests } = await list({ scope: 'waiting' });
    expect(pullRequests).toMatchObject([{ id: draft.id, waitingForMe: true }]);
    expect(await counts(owner)).toEqual({ mine: 2, waiting: 0 });
    expect(await counts(viewer)).toEqual({ mine: 0, waiting: 0 });
  });
});

it('filters by the person whose review is requested, also of their teams and on a code host', async () => {
  const { id: repositoryId } = await makeRepositoryRow(service, acme.id, { name: 'acme/reviewed' });
  const make = (state: 'open' | 'draft' = 'open') =>
    makePullRequest(service, { id: repositoryId }, { author: owner, state });
  const [asked, byTeam, onHost, unfinished] = [await make(), await make(), await make(), await make('draft')];
  const post = async (pullRequest: { id: string }, what: string, as: Person, body: object) => {
    const path = `/api/v2/pull-requests/${pullRequest.id}/${what}`;
    const reply = await service.request('POST', path, { as: withSession(as), body });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  };
  await post(asked, 'review-requests', owner, { userIds: [member.userId] });
  await post(unfinished, 'review-requests', owner, { userIds: [member.userId] });
  const team = await service.request('POST', '/api/v2/teams', {
    as: withSession(owner),
    body: { name: 'reviewers', userIds: [member.userId] },
  });
  expect(team.status, JSON.stringify(team.body)).toBeLessThan(300);
  const request = { organization_id: acme.id, name: 'x', requested_at: at(1) };
  await db
    .insertInto('pull_request_review_requests')
    .values([
      { ...request, id: crypto.randomUUID(), pull_request_id: byTeam.id, team_id: team.body.id },
      { ...request, id: crypto.randomUUID(), pull_request_id: onHost.id, account_id: account },
    ])
    .execute();
  const found = async (query: Record<string, string>) => new Set(await ids({ repositoryId, ...query }));
  const of = (...pullRequests: { id: string }[]) => new Set(pullRequests.map(({ id }) => id));
  const reviewerId = member.userId;
  expect(await found({ reviewerId })).toEqual(of(asked, byTeam, onHost, unfinished));
  expect(await found({ reviewerId, state: 'draft' })).toEqual(of(unfinished));
  expect(await found({ reviewerId: admin.userId })).toEqual(of());
});
