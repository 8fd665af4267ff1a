/** Shared by the cases about plans: posting plans and comments, and the shapes of the replies. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Answer, assertStatus, type Case, type Sent, type Server } from './server.ts';

export const PLANS = '/api/v2/plans';

export type Fields = Record<string, unknown>;

export const validPlan = (): Fields => ({
  seriesKey: randomUUID(),
  content: '# Contract test\n\nOne sentence.',
  agentVendor: 'codex',
});

export const postPlan = (server: Server, fields: Fields = {}, sent: Sent = {}): Promise<Answer> =>
  server.request('POST', PLANS, { body: { ...validPlan(), ...fields }, ...sent });

/** A new plan for one case. */
export async function makePlan(server: Server, fields: Fields = {}) {
  const answer = await postPlan(server, fields);
  assertStatus(answer, 201);
  return answer.json as { seriesId: string; versionId: string };
}

export const postComment = (
  server: Server,
  plan: { seriesId: string; versionId: string },
  fields: Fields = {},
  sent: Sent = {},
) =>
  server.request('POST', `${PLANS}/${plan.seriesId}/comments`, {
    body: { body: 'A comment.', versionId: plan.versionId, ...fields },
    ...sent,
  });

export const listComments = (server: Server, plan: { seriesId: string }) =>
  server.request('GET', `${PLANS}/${plan.seriesId}/comments`);

export async function makeComment(
  server: Server,
  plan: { seriesId: string; versionId: string },
  fields: Fields = {},
) {
  const answer = await postComment(server, plan, fields);
  assertStatus(answer, 201);
  return answer.json as { id: string };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const STATUSES = ['pending', 'approved', 'implemented', 'closed', 'deleted'];

/** The exact field names of the reply with a plan. */
export function assertPlan(plan: Fields): void {
  assert.deepEqual(Object.keys(plan).toSorted(), [
    'agentVendor',
    'content',
    'createdAt',
    'createdBy',
    'modelId',
    'pullRequests',
    'repoIds',
    'repoNames',
    'repos',
    'reviewState',
    'seriesId',
    'seriesKey',
    'status',
    'title',
    'tokensUsed',
    'updatedAt',
    'url',
    'version',
    'versionId',
  ]);
  for (const name of ['seriesId', 'seriesKey', 'versionId']) assert.match(plan[name] as string, UUID, name);
  for (const name of ['createdAt', 'updatedAt']) assert.match(plan[name] as string, TIME, name);
  assert.ok(STATUSES.includes(plan.status as string));
  assert.deepEqual(Object.keys(plan.createdBy as Fields).toSorted(), ['id', 'name']);
  assert.match(plan.url as string, /^https?:\/\//);
  for (const name of ['pullRequests', 'repoIds', 'repoNames', 'repos'])
    assert.ok(Array.isArray(plan[name]), name);
}

export function assertComment(comment: Fields): void {
  assert.deepEqual(Object.keys(comment).toSorted(), [
    'anchor',
    'authorName',
    'body',
    'createdAt',
    'id',
    'parentId',
    'triageState',
    'versionId',
  ]);
  for (const name of ['id', 'versionId']) assert.match(comment[name] as string, UUID, name);
  assert.match(comment.createdAt as string, TIME);
}

/** Cases for invalid series ids, for each endpoint with one in its path. */
export function wrongSeries(request: (server: Server, seriesId: string) => Promise<Answer>): Case[] {
  return [
    {
      name: '404 for a series that does not exist',
      run: async (server) => assertStatus(await request(server, randomUUID()), 404),
    },
    {
      name: '400 for a series that is not a uuid',
      run: async (server) => assertStatus(await request(server, 'not-a-uuid'), 400),
    },
  ];
}

/** Cases without a credential, and with an invalid one. */
export function withoutKey(request: (server: Server, sent: Sent) => Promise<Answer>): Case[] {
  return [
    {
      name: '401 without a key',
      run: async (server) => assertStatus(await request(server, { key: null }), 401),
    },
    {
      name: '401 with an unknown key',
      run: async (server) => assertStatus(await request(server, { key: `csk_${'x'.repeat(49)}` }), 401),
    },
  ];
}
