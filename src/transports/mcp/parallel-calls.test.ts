/** Identical concurrent calls on two nodes over real HTTP: idempotent tools act once. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { postComment, postPlan, read, SAMPLE_PLAN } from '../../../test/helpers/rows/plans.ts';
import { startAnotherNode } from '../../../test/helpers/service/another-node.ts';
import { startTestService, withKey } from '../../../test/helpers/service/harness.ts';
import { connect } from '../../../test/mcp/clients.ts';
import { callTool } from '../../../test/mcp/tool-calls.ts';

const service = await startTestService();
const other = await startAnotherNode(service);
const { acme } = service;
const AT_ONCE = 10;

const clients = await Promise.all(
  Array.from({ length: AT_ONCE }, (_, index) =>
    connect(index % 2 === 0 ? service.url : other.url, { 'x-api-key': acme.member.key }),
  ),
);

async function callAtOnce(tool: string, given: Record<string, unknown>) {
  const answers = await Promise.all(clients.map((client) => callTool(client, tool, given)));
  return answers.map(({ structured }) => structured);
}

it('update_plan adds one version, whether or not the plan exists', async () => {
  const given = { sessionId: randomUUID(), agentVendor: 'codex' };
  for (const version of [1, 2, 3]) {
    const answers = await callAtOnce('update_plan', { ...given, content: `# Version ${version}` });
    expect(answers.map((answer) => answer.version)).toEqual(Array(AT_ONCE).fill(version));
    expect(answers.filter(({ alreadyPosted }) => !alreadyPosted)).toHaveLength(1);
    const { versions } = (await read(service, acme.member, { seriesId: given.sessionId })).body;
    expect(versions).toHaveLength(version);
  }
});

it('respond_to_plan_comment adds one reply', async () => {
  const { body: plan } = await postPlan(service, acme.owner);
  const { id: commentId } = await postComment(service, acme.owner, plan);
  const given = { planId: plan.seriesId, commentId, body: 'Done.', triageState: 'used' };
  const answers = await callAtOnce('respond_to_plan_comment', given);
  expect(new Set(answers.map(({ replyId }) => replyId)).size).toBe(1);
  expect(answers.filter(({ alreadyPosted }) => !alreadyPosted)).toHaveLength(1);
  const { comments } = (await read(service, acme.member, plan, '/threads')).body;
  expect(comments).toHaveLength(2);
});

it('posting plans and comments over REST adds something every time', async () => {
  const { body: plan } = await postPlan(service, acme.member, { content: SAMPLE_PLAN });
  const { id: parentId } = await postComment(service, acme.member, plan);
  const post = (path: string, body: object) =>
    service.request('POST', path, { as: withKey(acme.member), body });
  for (const version of [2, 3]) {
    const again = await post('/api/v2/plans', {
      seriesKey: plan.seriesId,
      content: SAMPLE_PLAN,
      agentVendor: plan.agentVendor,
    });
    expect(again).toMatchObject({ status: 200, body: { version } });
    expect(again.body).not.toHaveProperty('alreadyPosted');
    const reply = { body: 'Same.', versionId: plan.versionId, parentId };
    const replied = await post(`/api/v2/plans/${plan.seriesId}/comments`, reply);
    expect(replied.status).toBe(201);
    expect(replied.body).not.toHaveProperty('alreadyPosted');
  }
  const { comments } = (await read(service, acme.member, plan, '/threads')).body;
  expect(comments).toHaveLength(3);
});
