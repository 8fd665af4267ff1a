/** The end of Claude Code's plan mode with our hook: people decide in Countersign, or the user in the client. */
import { expectPlan } from './claude-plugin.ts';
import { type Answer, converse, decide } from './claude-session.ts';
import type { Client } from './clients.ts';
import type { Place } from './place.ts';
import type { Turn } from './scripted-model.ts';
import { expectMatch, expectNoMatch, type Steps } from './steps.ts';

const NAME = 'Claude Code';
const PLAN = '# Add rate limits\n\nTo "orders".';
/** The plan is what stands in the file that the client names. */
const writePlan: Turn = (heard) => ({
  use: 'Write',
  input: { file_path: expectMatch(heard, /\/[^\s"`\\]*\/plans\/[\w-]+\.md/)[0], content: PLAN },
});
const leave: Turn = { use: 'ExitPlanMode', input: {} };
/** The question of the hook, word for word, as the agent was given it. */
const askUser: Turn = (heard) => {
  const [escaped] = expectMatch(heard, /\{\\"questions\\":.*?\}\]\}\]\}/);
  return { use: 'AskUserQuestion', input: JSON.parse(JSON.parse(`"${escaped}"`)) };
};
const TURNS = [writePlan, leave, askUser, leave, { say: 'Done.' }];

export async function tryPlanMode(steps: Steps, place: Place, client: Client): Promise<void> {
  const withEnv = (env: Record<string, string>): Client => ({
    ...client,
    surroundings: { ...client.surroundings, env: { ...client.surroundings.env, ...env } },
  });
  const withKey = withEnv({ COUNTERSIGN_API_KEY: place.key });

  /** Agrees or not, and leaves the question about the plan to `onPlan`. */
  const user =
    (label: string, onPlan: (planId: string) => Promise<boolean | undefined>): Answer =>
    async (tool, input, sessionId) => {
      if (tool === 'AskUserQuestion') {
        return decide(true, { ...input, answers: { [input.questions[0].question]: label } });
      }
      const isAllowed = await onPlan(sessionId);
      return isAllowed === undefined ? undefined : decide(isAllowed, input);
    };
  const talk = (who: Client, answer: Answer, turns: Turn[] = TURNS) =>
    converse(who, 'Plan something.', turns, { plan: true, allow: answer });

  /** What a reviewer does once the plan is there. */
  const review = async (planId: string, action: string) => {
    const plan = await posted(place, planId);
    const { versionId } = plan;
    await place.asReviewer('POST', `plans/${planId}/comments`, { versionId, body: 'Per customer, please.' });
    await place.asReviewer('POST', `plans/${planId}/${action}`, { versionId, note: 'Mind the cache.' });
    return undefined;
  };

  await steps.try(NAME, 'plan mode: approved in Countersign while the client asks', async () => {
    const { askedAbout, heard } = await talk(
      withKey,
      user('Upload', (planId) => review(planId, 'approve')),
    );
    expectSame(askedAbout, ['AskUserQuestion', 'ExitPlanMode']);
    expectMatch(heard.at(-1)!, /User has approved your plan/);
    expectMatch(
      heard.at(-1)!,
      /approved in Countersign by Grace Hopper.*Mind the cache.*Per customer, please/,
    );
    return 'the question closed, and the comments reached the model';
  });
  await steps.try(NAME, 'plan mode: changes requested in Countersign', async () => {
    const { heard, sessionId } = await talk(
      withKey,
      user('Upload', (planId) => review(planId, 'request-changes')),
    );
    expectNoMatch(heard.at(-1)!, /User has approved your plan/);
    expectMatch(heard.at(-1)!, /requested changes.*Mind the cache.*Per customer, please/);
    await expectPlan(place, sessionId, 200);
    return 'the model was sent back with the comments';
  });
  await steps.try(NAME, 'plan mode: the user answers first', async () => {
    const { heard, sessionId } = await talk(
      withKey,
      user('Upload', async (planId) => (await posted(place, planId)) && true),
    );
    expectMatch(heard.at(-1)!, /User has approved your plan/);
    expectNoMatch(heard.at(-1)!, /approved in Countersign/);
    const { status } = await posted(place, sessionId);
    expectSame(status, 'pending');
    return 'the plan is pending in Countersign';
  });
  await steps.try(NAME, 'plan mode: no consent, nothing uploaded', async () => {
    const { askedAbout, heard, sessionId } = await talk(
      withKey,
      user('Not in this session', async () => true),
    );
    expectSame(askedAbout, ['AskUserQuestion', 'ExitPlanMode']);
    expectMatch(heard.at(-1)!, /User has approved your plan/);
    await expectPlan(place, sessionId, 404);
    return 'the client asked its own question; there is no plan';
  });
  await steps.try(NAME, 'plan mode: held before the question (PreToolUse)', async () => {
    const env = { COUNTERSIGN_REVIEW_EVENT: 'PreToolUse', COUNTERSIGN_PLAN_REVIEW: 'always' };
    const host = withEnv({ COUNTERSIGN_API_KEY: place.key, ...env });
    let reviewed: Promise<unknown> | undefined;
    const { askedAbout, heard } = await converse(
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
    expectSame(askedAbout, []);
    expectMatch(heard.at(-1)!, /approved in Countersign by Grace Hopper.*Mind the cache/);
    return 'the client did not ask';
  });
  await steps.try(NAME, 'plan mode: Countersign cannot be reached', async () => {
    const host = withEnv({ COUNTERSIGN_API_KEY: place.key, COUNTERSIGN_URL: 'http://127.0.0.1:1' });
    const { askedAbout, heard } = await talk(
      host,
      user('Upload', async () => true),
      [writePlan, leave, { say: 'Done.' }],
    );
    expectSame(askedAbout, ['ExitPlanMode']);
    expectMatch(heard.at(-1)!, /User has approved your plan/);
    return 'the client asked its own question';
  });
  await steps.try(NAME, 'plan mode: signed in without a key, the agent posts the plan', async () => {
    const { heard, sessionId } = await talk(
      client,
      user('Upload', async () => true),
      [writePlan, leave, askUser, leave, { say: 'Posting.' }],
    );
    expectMatch(heard.at(-1)!, new RegExp(`Call update_plan.*sessionId ${sessionId}`));
    return 'the model was told to call update_plan';
  });
}

/** The plan once it is there; the hook posts it while the client asks. */
async function posted(place: Place, planId: string): Promise<{ versionId: string; status: string }> {
  for (const started = Date.now(); ; await new Promise((wake) => setTimeout(wake, 100))) {
    try {
      return (await place.asReviewer('GET', `plans/${planId}`)) as { versionId: string; status: string };
    } catch (error) {
      if (Date.now() - started > 30_000) throw error;
    }
  }
}

function expectSame(seen: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, saw ${left}`);
}
