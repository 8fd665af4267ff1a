/** POST /api/v2/plans (endpoint 8): creates a plan or adds a version to it. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { createTextThreads, type TextWork } from '../../../engines/plan-text/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { requireSettingValue } from '../../../platform/core/operations/shapes.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { finishChange } from '../../events/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { EXAMPLE_PLAN } from '../contract/examples.ts';
import { SubmitPlanInput, SubmittedPlan } from '../contract.ts';
import { presentRepository } from '../reading/present-plan.ts';
import { readPlan } from '../reading/read-plan.ts';
import {
  insertVersionRepositories,
  type PlanRepositoryRow,
  replaceFiles,
  replaceWords,
  type SeenRow,
  selectVersionRepositories,
} from '../store/plan-repository-store.ts';
import { hasContent, insertPlan, insertVersion, lockPlan, type PlanRow } from '../store/plan-store.ts';
import { requestReviewsAgain } from '../store/review-store.ts';
import { PlanChange } from './change-plan.ts';
import { chooseRepositories, resolveAgain } from './choose-repositories.ts';
import { areSameRepositories } from './same-repositories.ts';

type Input = typeof SubmitPlanInput._output;
type Digest = ReturnType<TextWork['digestPlan']>;

export const submitPlan = defineOperation({
  name: 'submit-plan',
  group: 'Plans',
  summary: 'Post a plan or its next version',
  description:
    'The first post with a `seriesKey` creates the plan; each further post adds a version, even if the content is the same. New content makes an approved, implemented or closed plan pending again.',
  http: {
    method: 'POST',
    path: '/api/v2/plans',
    status: 201,
    also: {
      status: 200,
      when: 'A version was added to the plan.',
      applies: ({ version }: typeof SubmittedPlan._output) => version > 1,
    },
  },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  idempotent: true,
  input: SubmitPlanInput,
  output: SubmittedPlan,
  problems: ['forbidden', 'conflict'],
  example: {
    request: {
      seriesKey: EXAMPLE_PLAN.seriesKey,
      content: EXAMPLE_PLAN.content,
      agentVendor: EXAMPLE_PLAN.agentVendor,
      repoNames: EXAMPLE_PLAN.repoNames,
    },
    reply: EXAMPLE_PLAN,
  },
  // Done before any lock is taken, because it is slow for long texts.
  prepare: (context, input) =>
    context.state.of(createTextThreads).run(callOf(context), 'digestPlan', input.content),
  async run(context, input, digest: Digest) {
    await requirePlanner(context);
    requireSettingValue('agentVendor', input.agentVendor, context.settings.agentVendors);
    return inTransaction(context.db, async (db) => {
      const plan = await openSeries(context, db, input, digest);
      const unchanged = plan.version_id !== null && (await hasContent(db, plan.version_id, input.content));
      const known = await repositoriesOf(context, db, plan);
      const chosen = await chooseRepositories(db, context.actor, input, known);
      // Decided under the plan's lock, so that only one of several identical concurrent posts adds a version.
      const alreadyPosted =
        unchanged && (chosen.length === 0 || areSameRepositories(chosen.map(nameOf), known.map(nameOf)));
      if (!(input.skipIfUnchanged && alreadyPosted)) {
        refuseOtherBase(plan, input.baseVersion);
        const repositories = chosen.length > 0 ? chosen : await resolveAgain(db, context.actor, known);
        const change = new PlanChange(db, plan, context.clock.now());
        await addVersion(context, change, input, digest, { repositories, unchanged });
      }
      const read = await readPlan(context, db, input.seriesKey);
      return input.skipIfUnchanged ? { ...read, alreadyPosted } : read;
    });
  },
});

async function requirePlanner({ actor, db }: Context): Promise<void> {
  if (await isSettingOn(db, actor.organizationId, 'planner')) return;
  throw new Problem(
    'forbidden',
    'Plans are turned off in your organization. An admin can turn on the setting `planner`.',
  );
}

/** Creates the plan, or locks it if it exists. Of two concurrent first posts, one creates it and the other locks it. */
async function openSeries(
  { actor, clock }: Context,
  db: Db,
  input: Input,
  { title }: Digest,
): Promise<PlanRow> {
  const { organizationId, userId } = actor;
  const made = await insertPlan(db, {
    id: uuidv7(),
    organizationId,
    seriesId: input.seriesKey,
    title,
    agentVendor: input.agentVendor,
    userId,
    at: clock.now(),
  });
  if (made) return made;
  const plan = await lockPlan(db, organizationId, input.seriesKey);
  if (plan?.status !== 'deleted') return plan!;
  throw new Problem('conflict', 'This plan was deleted. Post with a different seriesKey.');
}

/** A version based on an older one must not replace the latest. */
function refuseOtherBase(plan: PlanRow, baseVersion: number | undefined): void {
  if (baseVersion === undefined || baseVersion === plan.version) return;
  throw new Problem(
    'conflict',
    `The plan is at version ${plan.version}, but your post is based on version ${baseVersion}. Nothing was posted. Read version ${plan.version}, incorporate its changes, then post again with baseVersion ${plan.version}.`,
  );
}

async function addVersion(
  context: Context,
  change: PlanChange,
  input: Input,
  { files, title, words }: Digest,
  { repositories, unchanged }: { repositories: PlanRepositoryRow[]; unchanged: boolean },
): Promise<void> {
  const { at, db, plan } = change;
  const { actor } = context;
  const place = { planId: plan.id, organizationId: plan.organization_id };
  const version = plan.version + 1;
  const versionId = uuidv7();

  await insertVersion(db, {
    id: versionId,
    ...place,
    version,
    title,
    content: input.content,
    unchanged,
    authorId: actor.userId,
    authorKind: actor.kind,
    agentVendor: input.agentVendor,
    modelId: input.modelId ?? null,
    tokens: input.tokensUsed,
    at,
  });
  await insertVersionRepositories(db, place, versionId, repositories);
  if (!unchanged) {
    await replaceFiles(db, place, files);
    await replaceWords(db, place, words);
  }

  if (version === 1) change.record('plan_created', { version, versionId, title });
  else change.record('version_added', { version, versionId, title, unchanged });
  change.act(unchanged ? 'add-same-version' : 'add-version', 'new_version');
  change.set({ title, agent_vendor: input.agentVendor, version_id: versionId, version, updated_at: at });
  if (!unchanged) {
    await requestReviewsAgain(db, plan, actor.userId, at);
    change.set({ content_since: version, changes_requested_at: null });
  }
  await finishChange(context, change);
}

async function repositoriesOf({ actor }: Context, db: Db, plan: PlanRow): Promise<SeenRow[]> {
  return plan.version_id === null ? [] : selectVersionRepositories(db, actor, plan.version_id);
}

/** As the caller can read it: that nothing was posted must not show that a guessed name is right. */
function nameOf(row: SeenRow): string {
  return presentRepository(row).repoName;
}
