/** update_plan: posts a plan or its next version. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { vendorNamedBy } from '../agent-vendor.ts';
import { nextForPlan, presentReviewState, REVIEW_STATE } from '../plans/plan-status.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool, type ToolContext } from '../tool.ts';

const SUBMIT = 'submit-plan';
const SESSION = 'get-planner-session';
const ACTIVITY = 'list-plan-activity';
const PAGE_SIZE = 50;
const CREATES_VERSION = new Set(['plan_created', 'version_added']);

export const updatePlan = defineTool({
  name: 'update_plan',
  title: 'Post a plan or its next version',
  description: {
    does: 'Post the plan of your change for review, or its next version.',
    use: 'when your plan is ready, and again whenever it changes. Write headings, the affected repositories and files, steps, and how to verify the result. Comments stay attached to the text they point to. An approved plan needs a new approval when its content changes.',
    returns: "the plan's `url`, `status`, `version`, `since`, and `alreadyPosted` if nothing changed.",
    next: 'show the `url` to the user, then call `wait_for_review` with `planId` (the `sessionId`) and `since`.',
  },
  operations: [SUBMIT, SESSION, ACTIVITY],
  // Posting the same content again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { agentVendor, baseVersion, content, modelId, repoNames, seriesKey, tokensUsed } = fieldsOf(SUBMIT);
    return z.object({
      sessionId: seriesKey.describe(
        'UUID of your session. The first call creates the plan, later ones add versions. It is also the `planId`.',
      ),
      content: content.describe('The whole plan in Markdown, not only what changed.'),
      baseVersion: baseVersion.describe(
        'The version you started from: if someone posted a newer one, nothing is posted and the reply says so.',
      ),
      agentVendor: agentVendor.optional().describe('Default: taken from the name of your client.'),
      modelId,
      tokensUsed: tokensUsed.describe('By the session so far.'),
      repoNames: repoNames.describe('Repositories that it applies to. If omitted later, they stay.'),
    });
  },
  output: z.object({
    planId: ours('id'),
    url: ours('page').describe('Show it to the user.'),
    status: ours('word'),
    ...REVIEW_STATE,
    version: z.int(),
    versionId: ours('id'),
    alreadyPosted: z
      .boolean()
      .optional()
      .describe('True when the newest version has this content and these repositories: none was added.'),
    since: z
      .int()
      .describe('Send it as `since` to `wait_for_review` to get everything that happens from here on.'),
    next: ours('sentence'),
  }),
  async run({ agentVendor, sessionId, ...rest }, context) {
    const plan = await context.run(SUBMIT, {
      ...rest,
      seriesKey: sessionId,
      agentVendor: agentVendor ?? (await findVendor(sessionId, context)),
      skipIfUnchanged: true,
    });
    const { pullRequests, seriesId: planId, status, url, version, versionId } = plan;
    return {
      planId,
      url,
      status,
      ...presentReviewState(plan),
      version,
      versionId,
      alreadyPosted: plan.alreadyPosted || undefined,
      since: await eventOf(versionId, planId, context),
      next:
        status === 'pending'
          ? 'Show `url` to the user, then call `wait_for_review` with `planId` and `since`. Do not write code before a person approves.'
          : nextForPlan({ ...plan, hasPullRequest: pullRequests.length > 0 }),
    };
  },
});

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
      message: `is required because your client does not say which agent it is: send one of ${vendors.join(', ')}`,
    },
  ]);
}

async function vendorOfSession(sessionId: string, context: ToolContext): Promise<string | null> {
  try {
    return (await context.run(SESSION, { sessionId })).agentVendor;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** The number of the event that created this version; later events have higher numbers. */
async function eventOf(versionId: string, seriesId: string, context: ToolContext): Promise<number> {
  let cursor: string | undefined;
  do {
    const page: Operations['list-plan-activity']['output'] = await context.run(ACTIVITY, {
      seriesId,
      cursor,
      limit: PAGE_SIZE,
    });
    const own = page.events.find(
      ({ data, kind }) => CREATES_VERSION.has(kind) && data.versionId === versionId,
    );
    if (own) return own.number;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return 0;
}
