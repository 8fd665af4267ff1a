/** update_plan: posts a plan, or its next version. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors.ts';
import { vendorNamedBy } from '../agent-vendor.ts';
import { ADDS, defineTool, type ToolContext } from '../tool.ts';

const SUBMIT = 'submit-plan';
const PLAN = 'get-plan';
const SESSION = 'get-planner-session';
const ACTIVITY = 'list-plan-activity';
const EVENTS_AT_ONCE = 50;
const MAKES_VERSION = new Set(['plan_created', 'version_added']);

export const updatePlan = defineTool({
  name: 'update_plan',
  title: 'Post a plan or its next version',
  operations: [SUBMIT, PLAN, SESSION, ACTIVITY],
  // The same content again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { agentVendor, content, modelId, repoNames, seriesKey, tokensUsed } = fieldsOf(SUBMIT);
    return z.object({
      sessionId: seriesKey.describe(
        'Your session, a uuid: the first time it makes the plan, the same again with other content adds a version. It is also the `planId`.',
      ),
      content: content.describe('The whole plan in Markdown, not only what changed.'),
      agentVendor: agentVendor
        .optional()
        .describe('The agent client you are; taken from your client’s name when left out.'),
      modelId: modelId,
      tokensUsed: tokensUsed.describe('What the session used so far.'),
      repoNames: repoNames,
    });
  },
  output: z.object({
    planId: z.string(),
    url: z.string().describe('Show it to the user.'),
    status: z.string(),
    version: z.int(),
    versionId: z.string(),
    alreadyPosted: z
      .boolean()
      .optional()
      .describe(
        'Whether the newest version had this content and these repositories, so that none was added.',
      ),
    since: z.int().describe('Send it as `since` to `wait_for_plan_review` to miss nothing from here on.'),
  }),
  async run({ sessionId, agentVendor, ...rest }, context) {
    const posted = await findPosted(sessionId, rest, context);
    const plan =
      posted ??
      (await context.run(SUBMIT, {
        ...rest,
        seriesKey: sessionId,
        agentVendor: agentVendor ?? (await findVendor(sessionId, context)),
      }));
    const { seriesId: planId, status, url, version, versionId } = plan;
    const since = await eventOf(versionId, planId, context);
    return {
      structured: {
        planId,
        url,
        status,
        version,
        versionId,
        since,
        alreadyPosted: posted ? true : undefined,
      },
      text: [
        posted
          ? `Version ${version} of the plan has exactly this text: no version was added; the plan is ${status}.`
          : `Version ${version} of the plan is posted; the plan is ${status}.`,
        `Show this link to the user: ${url}`,
        `Next: \`wait_for_plan_review\` with planId ${planId} and since ${since}. Write no code before a person approved.`,
      ].join('\n'),
    };
  },
});

/** The plan, when its newest version is what is being posted: a call that is repeated adds nothing. */
async function findPosted(
  seriesId: string,
  { content, repoNames = [] }: { content: string; repoNames?: string[] },
  context: ToolContext,
): Promise<Operations['get-plan']['output'] | undefined> {
  const plan = await orNull(context.run(PLAN, { seriesId }));
  if (plan?.content !== content) return undefined;
  return repoNames.length === 0 || areSameRepositories(repoNames, plan.repoNames) ? plan : undefined;
}

/** In any order; a plan has the full name where the leaf was sent. */
function areSameRepositories(sent: string[], known: string[]): boolean {
  const isSame = (name: string, full: string) => full === name || full.endsWith(`/${name}`);
  const [names, fulls] = [sent, known].map((list) => list.map((name) => name.toLowerCase())) as [
    string[],
    string[],
  ];
  return (
    names.every((name) => fulls.some((full) => isSame(name, full))) &&
    fulls.every((full) => names.some((name) => isSame(name, full)))
  );
}

async function findVendor(sessionId: string, context: ToolContext): Promise<string> {
  const vendors = context.settings.agentVendors;
  const { name, userAgent } = context.client;
  const vendor =
    vendorNamedBy(name, vendors) ??
    vendorNamedBy(userAgent, vendors) ??
    vendorNamedBy(await vendorOfSession(sessionId, context), vendors);
  if (vendor) return vendor;
  throw invalidRequest([
    {
      path: 'agentVendor',
      message: `is needed, since your client does not say which agent it is: send one of ${vendors.join(', ')}`,
    },
  ]);
}

async function vendorOfSession(sessionId: string, context: ToolContext): Promise<string | null> {
  const session = await orNull(context.run(SESSION, { sessionId }));
  return session?.agentVendor ?? null;
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** The number of the event that this version made: what has a higher one happened after it. */
async function eventOf(versionId: string, seriesId: string, context: ToolContext): Promise<number> {
  let cursor: string | undefined;
  do {
    const page: Operations['list-plan-activity']['output'] = await context.run(ACTIVITY, {
      seriesId,
      cursor,
      limit: EVENTS_AT_ONCE,
    });
    const own = page.events.find(({ data, kind }) => MAKES_VERSION.has(kind) && data.versionId === versionId);
    if (own) return own.number;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return 0;
}
