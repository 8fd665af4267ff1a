/** Our plugin in Claude Code: its commands reach the model, nothing is uploaded without consent, and tool results arrive complete. */
import { converse } from './claude-session.ts';
import type { Client } from './clients.ts';
import type { Deployment } from './deployment.ts';
import { expectMatch, type Steps } from './steps.ts';
import { checkToolResults, toolCallsFor } from './tool-results.ts';

const NAME = 'Claude Code';
const SERVER = 'mcp__plugin_countersign_countersign__';
const UPLOAD = `${SERVER}update_plan`;
const PLAN = '# Add rate limits\n\nTo "orders".';

export async function testPlugin(steps: Steps, deployment: Deployment, client: Client): Promise<void> {
  await steps.try(NAME, 'plugin: the command passes the session id and the task to the model', async () => {
    const { received, sessionId } = await converse(
      client,
      '/countersign:plan-a-change add rate limits',
      [{ say: 'Planned.' }],
      { allow: false },
    );
    expectMatch(received[0]!, /The change: add rate limits/);
    expectMatch(received[0]!, new RegExp(`sessionId\` is ${sessionId}`));
    return `sessionId ${sessionId}`;
  });
  const upload = (allow: boolean) => {
    // Without agentVendor: the service derives it from the client's name.
    const input = { sessionId: crypto.randomUUID(), content: PLAN };
    const turns = [{ use: UPLOAD, input }, { say: 'Done.' }];
    return converse(client, 'Upload it.', turns, { allow }).then((seen) => ({
      ...seen,
      planId: input.sessionId,
    }));
  };
  await steps.try(NAME, 'plugin: update_plan uploads nothing when the user refuses', async () => {
    const { permissionRequests, planId } = await upload(false);
    if (permissionRequests.join() !== UPLOAD)
      throw new Error(`permission was requested for ${permissionRequests}`);
    await expectPlan(deployment, planId, 404);
    return 'requested, refused, no plan';
  });
  await steps.try(NAME, 'plugin: update_plan returns the link when the user allows it', async () => {
    const { received, planId } = await upload(true);
    expectMatch(received[1]!, new RegExp(`${deployment.url}/plans/${planId}`));
    await expectPlan(deployment, planId, 200);
    return `${deployment.url}/plans/${planId}`;
  });
  await steps.try(NAME, 'plugin: tool results as the model receives them', async () => {
    const calls = toolCallsFor(deployment);
    const turns = calls.map(({ input, tool }) => ({ use: SERVER + tool, input }));
    const { toolResults } = await converse(client, 'Read the plan.', turns, { allow: true });
    return checkToolResults(calls, toolResults);
  });
}

export async function expectPlan({ key, url }: Deployment, planId: string, status: number): Promise<void> {
  const reply = await fetch(`${url}/api/v2/plans/${planId}/comments`, { headers: { 'x-api-key': key } });
  if (reply.status !== status) throw new Error(`the plan returned ${reply.status}: ${await reply.text()}`);
}
