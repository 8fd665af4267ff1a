/** The end of Claude Code's plan mode with our hook: reviewers decide in Countersign, or the user decides in the client. */
import { expectPlan } from './claude-plugin.ts';
import { type Answer, converse, decide } from './claude-session.ts';
import type { Client } from './clients.ts';
import type { Deployment } from './deployment.ts';
import type { Turn } from './scripted-model.ts';
import { expectMatch, expectNoMatch, type Steps } from './steps.ts';

const NAME = 'Claude Code';
const PLAN = '# Add rate limits\n\nTo "orders".';
/** Claude Code takes the plan from a file whose path it sends to the model. */
const writePlan: Turn = (received) => ({
  use: 'Write',
  input: { file_path: expectMatch(received, /\/[^\s"`\\]*\/plans\/[\w-]+\.md/)[0], content: PLAN },
});
const leave: Turn = { use: 'ExitPlanMode', input: {} };
/** Asks the hook's question exactly as the hook wrote it. */
const askUser: Turn = (received) => {
  const [escaped] = expectMatch(received, /\{\\"questions\\":.*?\}\]\}\]\}/);
  return { use: 'AskUserQuestion', input: JSON.parse(JSON.parse(`"${escaped}"`)) };
};
const TURNS = [writePlan, leave, askUser, leave, { say: 'Done.' }];

export async function testPlanMode(steps: Steps, deployment: Deployment, client: Client): Promise<void> {
  const withEnv = (env: Record<string, string>): Client => ({
    ...client,
    processOptions: { ...client.processOptions, env: { ...client.processOptions.env, ...env } },
  });
  const withKey = withEnv({ COUNTERSIGN_API_KEY: deployment.key });

  /** Answers the consent question with `label`, and the question about the plan as `onPlan` says. */
  const user =
    (label: string, onPlan: (planId: string) => Promise<boolean | undefined>): Answer =>
    async (tool, input, sessionId) => {
      if (tool === 'AskUserQuestion') {
        return decide(true, { ...input, answers: { [input.questions[0].question]: label } });
      }
      const isAllowed = await onPlan(sessionId);
      return isAllowed === undefined ? undefined : decide(isAllowed, input);
    };
  const planWith = (who: Client, answer: Answer, turns: Turn[] = TURNS) =>
    converse(who, 'Plan something.', turns, { plan: true, allow: answer });

  /** A reviewer's comment and decision, once the plan was posted. */
  const review = async (planId: string, action: string) => {
    const plan = await posted(deployment, planId);
    const { versionId } = plan;
    await deployment.asReviewer('POST', `plans/${planId}/comments`, {
      versionId,
      body: 'Per customer, please.',
    });
    await deployment.asReviewer('POST', `plans/${planId}/${action}`, { versionId, note: 'Mind the cache.' });
    return undefined;
  };

  await steps.try(NAME, 'plan mode: approved in Countersign while the client asks', async () => {
    const { permissionRequests, received } = await planWith(
      withKey,
      user('Upload', (planId) => review(planId, 'approve')),
    );
    expectSame(permissionRequests, ['AskUserQuestion', 'ExitPlanMode']);
    expectMatch(received.at(-1)!, /User has approved your plan/);
    expectMatch(
      received.at(-1)!,
      /approved in Countersign by Grace Hopper.*Mind the cache.*Per customer, please/,
    );
    return 'the question closed, and the comments reached the model';
  });
  await steps.try(NAME, 'plan mode: changes requested in Countersign', async () => {
    const { received, sessionId } = await planWith(
      withKey,
      user('Upload', (planId) => review(planId, 'request-changes')),
    );
    expectNoMatch(received.at(-1)!, /User has approved your plan/);
    expectMatch(received.at(-1)!, /requested changes.*Mind the cache.*Per customer, please/);
    await expectPlan(deployment, sessionId, 200);
    return 'the model stayed in plan mode and received the comments';
  });
  await steps.try(NAME, 'plan mode: the user answers first', async () => {
    const { received, sessionId } = await planWith(
      withKey,
      user('Upload', async (planId) => (await posted(deployment, planId)) && true),
    );
    expectMatch(received.at(-1)!, /User has approved your plan/);
    expectNoMatch(received.at(-1)!, /approved in Countersign/);
    const { status } = await posted(deployment, sessionId);
    expectSame(status, 'pending');
    return 'the plan is pending in Countersign';
  });
  await steps.try(NAME, 'plan mode: nothing uploaded without consent', async () => {
    const { permissionRequests, received, sessionId } = await planWith(
      withKey,
      user('Not in this session', async () => true),
    );
    expectSame(permissionRequests, ['AskUserQuestion', 'ExitPlanMode']);
    expectMatch(received.at(-1)!, /User has approved your plan/);
    await expectPlan(deployment, sessionId, 404);
    return 'the client asked its own question; there is no plan';
  });
  await steps.try(NAME, 'plan mode: held before the question (PreToolUse)', async () => {
    const env = { COUNTERSIGN_REVIEW_EVENT: 'PreToolUse', COUNTERSIGN_PLAN_REVIEW: 'always' };
    const host = withEnv({ COUNTERSIGN_API_KEY: deployment.key, ...env });
    let reviewed: Promise<unknown> | undefined;
    const { permissionRequests, received } = await converse(
      host,
      'Plan something.',
      [writePlan, leave, { say: 'Done.' }],
      {
        plan: true,
        allow: async () => undefined,
        onSession: (planId) => {
          reviewed = review(planId, 'approve');
        },
      },
    );
    await reviewed;
    expectSame(permissionRequests, []);
    expectMatch(received.at(-1)!, /approved in Countersign by Grace Hopper.*Mind the cache/);
    return 'the client did not ask';
  });
  await steps.try(NAME, 'plan mode: Countersign cannot be reached', async () => {
    const host = withEnv({ COUNTERSIGN_API_KEY: deployment.key, COUNTERSIGN_URL: 'http://127.0.0.1:1' });
    const { permissionRequests, received } = await planWith(
      host,
      user('Upload', async () => true),
      [writePlan, leave, { say: 'Done.' }],
    );
    expectSame(permissionRequests, ['ExitPlanMode']);
    expectMatch(received.at(-1)!, /User has approved your plan/);
    return 'the client asked its own question';
  });
  await steps.try(NAME, 'plan mode: signed in without a key, the agent posts the plan', async () => {
    const { received, sessionId } = await planWith(
      client,
      user('Upload', async () => true),
      [writePlan, leave, askUser, leave, { say: 'Posting.' }],
    );
    expectMatch(received.at(-1)!, new RegExp(`Call update_plan.*sessionId ${sessionId}`));
    return 'the hook asked the model to call update_plan';
  });
}

/** Waits until the hook has posted the plan. */
async function posted(
  deployment: Deployment,
  planId: string,
): Promise<{ versionId: string; status: string }> {
  for (const started = Date.now(); ; await new Promise((wake) => setTimeout(wake, 100))) {
    try {
      return (await deployment.asReviewer('GET', `plans/${planId}`)) as { versionId: string; status: string };
    } catch (error) {
      if (Date.now() - started > 30_000) throw error;
    }
  }
}

function expectSame(seen: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, got ${left}`);
}
