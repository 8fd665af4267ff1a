/** What our plugin does inside Claude Code: its command reaches the model, and nothing is uploaded without a yes. */

import { converse } from './claude-session.ts';
import type { Client } from './clients.ts';
import type { Place } from './place.ts';
import { expectMatch, type Steps } from './steps.ts';

const NAME = 'Claude Code';
const UPLOAD = 'mcp__plugin_countersign_countersign__update_plan';
const PLAN = '# Add rate limits\n\nTo "orders".';

export async function tryPlugin(steps: Steps, place: Place, client: Client): Promise<void> {
  await steps.try(NAME, 'plugin: the command tells the model its session and the tools', async () => {
    const { heard, sessionId } = await converse(
      client,
      '/countersign:plan-a-change add rate limits',
      [{ say: 'Planned.' }],
      { allow: false },
    );
    expectMatch(heard[0]!, /The change: add rate limits/);
    expectMatch(heard[0]!, new RegExp(`sessionId\` is ${sessionId}`));
    return `sessionId ${sessionId}`;
  });
  const upload = (allow: boolean) => {
    // Without agentVendor: the service takes it from the client's name.
    const input = { sessionId: crypto.randomUUID(), content: PLAN };
    const turns = [{ use: UPLOAD, input }, { say: 'Done.' }];
    return converse(client, 'Upload it.', turns, { allow }).then((seen) => ({
      ...seen,
      planId: input.sessionId,
    }));
  };
  await steps.try(NAME, 'plugin: update_plan after a no uploads nothing', async () => {
    const { askedAbout, planId } = await upload(false);
    if (askedAbout.join() !== UPLOAD) throw new Error(`the user was asked about ${askedAbout}`);
    await expectPlan(place, planId, 404);
    return 'asked, refused, there is no plan';
  });
  await steps.try(NAME, 'plugin: update_plan after a yes gives the link', async () => {
    const { heard, planId } = await upload(true);
    expectMatch(heard[1]!, new RegExp(`${place.url}/plans/${planId}`));
    await expectPlan(place, planId, 200);
    return `${place.url}/plans/${planId}`;
  });
}

export async function expectPlan({ key, url }: Place, planId: string, status: number): Promise<void> {
  const reply = await fetch(`${url}/api/v2/plans/${planId}/comments`, { headers: { 'x-api-key': key } });
  if (reply.status !== status) throw new Error(`the plan answers ${reply.status}: ${await reply.text()}`);
}
