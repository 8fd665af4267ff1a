/** update_plan: posts a plan, or its next version. */
import { z } from 'zod';
import { invalidRequest, Problem } from '../../core/errors.ts';
import { vendorNamedBy } from '../agent-vendor.ts';
import type { Plan, PlanEvent } from '../plan-values.ts';
import { ADDS, type ToolContext, type ToolDefinition } from '../tool.ts';

const SUBMIT = 'submit-plan';
const SESSION = 'get-planner-session';
const ACTIVITY = 'list-plan-activity';
/** How far back the event of the version just posted can be, when others act at the same moment. */
const EVENTS_LOOKED_AT = 50;

interface Arguments {
  sessionId: string;
  content: string;
  agentVendor?: string;
  modelId?: string;
  tokensUsed?: { input_tokens: number; output_tokens: number };
  repoNames?: string[];
}

export const updatePlan: ToolDefinition<Arguments> = {
  name: 'update_plan',
  title: 'Post a plan or its next version',
  operations: [SUBMIT, SESSION, ACTIVITY],
  hints: ADDS,
  input(fieldsOf) {
    const { agentVendor, content, modelId, repoNames, seriesKey, tokensUsed } = fieldsOf(SUBMIT);
    return z.object({
      sessionId: seriesKey!.describe(
        'Your session, a uuid: the first time it makes the plan, the same again adds a version. It is also the `planId`.',
      ),
      content: content!.describe('The whole plan in Markdown, not only what changed.'),
      agentVendor: agentVendor!
        .optional()
        .describe('The agent client you are; taken from your client’s name when left out.'),
      modelId: modelId!,
      tokensUsed: tokensUsed!.describe('What the session used so far.'),
      repoNames: repoNames!,
    });
  },
  output: z.object({
    planId: z.string(),
    url: z.string().describe('Show it to the user.'),
    status: z.string(),
    version: z.int(),
    versionId: z.string(),
    since: z.int().describe('Send it as `since` to `wait_for_plan_review` to miss nothing from here on.'),
  }),
  async run({ sessionId, agentVendor, ...rest }, context) {
    const plan = await context.run<Plan>(SUBMIT, {
      ...rest,
      seriesKey: sessionId,
      agentVendor: agentVendor ?? (await findVendor(sessionId, context)),
    });
    const { seriesId: planId, status, url, version, versionId } = plan;
    const since = await eventOf(versionId, planId, context);
    return {
      structured: { planId, url, status, version, versionId, since },
      text: [
        `Version ${version} of the plan is posted; the plan is ${status}.`,
        `Show this link to the user: ${url}`,
        `Next: \`wait_for_plan_review\` with planId ${planId} and since ${since}. Write no code before a person approved.`,
      ].join('\n'),
    };
  },
};

async function findVendor(sessionId: string, context: ToolContext): Promise<string> {
  const { agentVendor } = context.fieldsOf(SUBMIT);
  const vendors = (agentVendor as z.ZodEnum).options as string[];
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
  try {
    const session = await context.run<{ agentVendor: string | null }>(SESSION, { sessionId });
    return session.agentVendor;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** The number of the event that this version made: what has a higher one happened after it. */
async function eventOf(versionId: string, seriesId: string, context: ToolContext): Promise<number> {
  const { events } = await context.run<{ events: PlanEvent[] }>(ACTIVITY, {
    seriesId,
    limit: EVENTS_LOOKED_AT,
  });
  const own = events.find(({ data }) => data.versionId === versionId);
  return own?.number ?? events.at(-1)?.number ?? 0;
}
