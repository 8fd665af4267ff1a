/** Reading a plan: its versions, its planner session and the actions a person can take. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  act,
  makeColleague,
  postPlan,
  postVersion,
  read,
  SAMPLE_PLAN,
} from '../../../../test/helpers/rows/plans.ts';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, clock, globex } = service;
const { admin, member, viewer } = acme;
const colleague = await makeColleague(service);

const plan = async () => (await postPlan(service, member)).body;

describe('get-plan-version', () => {
  it('returns its content, structure and author; an unknown version is 404, an invalid one 400', async () => {
    const { body: made } = await postPlan(service, member, {
      modelId: 'm1',
      tokensUsed: { input_tokens: 5, output_tokens: 7 },
    });
    await postVersion(service, admin, made, '# Two');
    const first = (await read(service, acme.viewer, made, '/versions/1')).body;
    expect(first).toMatchObject({
      version: 1,
      content: SAMPLE_PLAN,
      author: { name: 'Acme member' },
      authorKind: 'key',
      modelId: 'm1',
      tokensUsed: { input_tokens: 5, output_tokens: 7 },
    });
    expect(first.structure.files).toEqual(['src/export/run.ts', 'web/pages/export.tsx']);
    expect(first.structure.steps.map((step: { done: boolean }) => step.done)).toEqual([true, false, false]);
    expect((await read(service, member, made, '/versions/2')).body.author.name).toBe('Acme admin');
    expect((await read(service, member, made, '/versions/3')).status).toBe(404);
    for (const wrong of ['0', '-1', 'x', '1.5', '99999999999'])
      expect((await read(service, member, made, `/versions/${wrong}`)).status).toBe(400);
  });
});

describe('the planner session', () => {
  it('is returned with the plan: tokens, model, duration, repositories', async () => {
    const seriesKey = randomUUID();
    const record = (fields: Record<string, unknown>) =>
      service.request('POST', '/api/v2/mcp-sessions/events', {
        as: withKey(member),
        body: { sessionId: seriesKey, eventType: 'planner_tool_called', ...fields },
      });
    await record({ repository: 'acme/api', agentVendor: 'claude-code' });
    clock.advance(90_000);
    await record({
      repository: 'acme/web',
      payload: { modelId: 'model-7', tokensUsed: { input_tokens: 3, output_tokens: 4 } },
    });
    await record({ repository: 'acme/api', payload: { note: 'x' } });
    const { body: made } = await postPlan(service, member, { seriesKey });
    const { session } = (await read(service, member, made)).body;
    expect(session).toMatchObject({
      eventCount: 3,
      agentVendor: 'claude-code',
      modelId: 'model-7',
      tokensUsed: { input_tokens: 3, output_tokens: 4 },
      repositories: ['acme/api', 'acme/web'],
    });
    expect(session.durationSeconds).toBeGreaterThanOrEqual(90);
  });

  it('is null if the session reported nothing, or only in another organization', async () => {
    const seriesKey = randomUUID();
    await service.request('POST', '/api/v2/mcp-sessions/events', {
      as: withKey(globex.member),
      body: { sessionId: seriesKey, eventType: 'x' },
    });
    const { body: made } = await postPlan(service, member, { seriesKey });
    expect((await read(service, member, made)).body.session).toBeNull();
  });
});

describe('the actions', () => {
  it.each([
    ['viewer', []],
    ['colleague', ['approve', 'close', 'comment', 'request_changes', 'request_review']],
    ['member', ['close', 'comment', 'delete', 'request_changes', 'request_review']],
    ['admin', ['approve', 'close', 'comment', 'delete', 'request_changes', 'request_review']],
  ] as const)('of the %s on a pending plan are listed', async (who, actions) => {
    const made = await plan();
    const person = { viewer, colleague, member, admin }[who];
    expect((await read(service, person, made)).body.actions.toSorted()).toEqual(actions);
  });

  it('depend on the status', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const actions = (await read(service, colleague, made)).body.actions;
    expect(actions).toEqual(expect.arrayContaining(['withdraw_approval', 'mark_implemented', 'close']));
    expect(actions).not.toContain('approve');
    await act(service, member, made, 'close');
    expect((await read(service, colleague, made)).body.actions.toSorted()).toEqual(['comment', 'reopen']);
  });
});
