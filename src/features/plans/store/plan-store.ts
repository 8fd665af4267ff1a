/** Queries for plans and their versions. */
import { sql } from 'kysely';
import type { CredentialKind } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { PlanStatus } from '../contract.ts';
import { isApproved } from './review-store.ts';

export interface PlanRow {
  id: string;
  organization_id: string;
  series_id: string;
  status: PlanStatus;
  title: string;
  agent_vendor: string;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  version_id: string | null;
  version: number;
  /** The version that introduced the current content. */
  content_since: number;
  /** The number of the last event: a bigint, which the driver returns as a string. */
  last_event: string;
  comment_count: number;
  /** When changes to the current content were requested; null if it was approved after that. */
  changes_requested_at: Date | null;
}

export interface NewPlan {
  id: string;
  organizationId: string;
  seriesId: string;
  title: string;
  agentVendor: string;
  userId: string;
  at: Date;
}

/** Creates the plan unless it exists. A concurrent second insert waits for the first. */
export async function insertPlan(db: Db, plan: NewPlan): Promise<PlanRow | undefined> {
  const row = await db
    .insertInto('plans')
    .values({
      id: plan.id,
      organization_id: plan.organizationId,
      series_id: plan.seriesId,
      status: 'pending',
      title: plan.title,
      agent_vendor: plan.agentVendor,
      created_by: plan.userId,
      created_at: plan.at,
      updated_at: plan.at,
      version: 0,
      content_since: 1,
      last_event: 0,
      comment_count: 0,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'series_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row as PlanRow | undefined;
}

/** A query that locks those of the plans that nobody is changing, for the outbox of events. */
export function lockIdlePlans(db: Db, planIds: string[]) {
  return db
    .selectFrom('plans')
    .select(['id', 'last_event'])
    .where('id', '=', sql<string>`ANY(${planIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked();
}

/** Locks the plan, so that changes to its versions, status and events happen one at a time. */
export async function lockPlan(
  db: Db,
  organizationId: string,
  seriesId: string,
): Promise<PlanRow | undefined> {
  const row = await db
    .selectFrom('plans')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('series_id', '=', seriesId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row as PlanRow | undefined;
}

/** Like `lockPlan`, by internal ID, for background work. */
export async function lockPlanById(db: Db, planId: string): Promise<PlanRow> {
  const row = await db
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', planId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row as PlanRow;
}

/** The plan, unless it was deleted. */
export async function selectPlan(
  db: Db,
  organizationId: string,
  seriesId: string,
): Promise<(PlanRow & { is_approved: boolean }) | undefined> {
  const row = await db
    .selectFrom('plans')
    .selectAll()
    .select(isApproved('plans').as('is_approved'))
    .where('organization_id', '=', organizationId)
    .where('series_id', '=', seriesId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return row as (PlanRow & { is_approved: boolean }) | undefined;
}

export type PlanValues = Partial<
  Pick<
    PlanRow,
    | 'title'
    | 'agent_vendor'
    | 'version_id'
    | 'version'
    | 'content_since'
    | 'updated_at'
    | 'changes_requested_at'
  >
>;

export async function updatePlan(
  db: Db,
  plan: Pick<PlanRow, 'id' | 'organization_id'>,
  set: PlanValues & Pick<PlanRow, 'status'> & { last_event: string },
): Promise<void> {
  await db
    .updateTable('plans')
    .set(set)
    .where('id', '=', plan.id)
    .where('organization_id', '=', plan.organization_id)
    .execute();
}

export interface NewVersion {
  id: string;
  planId: string;
  organizationId: string;
  version: number;
  title: string;
  content: string;
  unchanged: boolean;
  authorId: string;
  authorKind: CredentialKind;
  agentVendor: string;
  modelId: string | null;
  tokens: { input_tokens: number; output_tokens: number } | undefined;
  at: Date;
}

export async function insertVersion(db: Db, version: NewVersion): Promise<void> {
  await db
    .insertInto('plan_versions')
    .values({
      id: version.id,
      plan_id: version.planId,
      organization_id: version.organizationId,
      version: version.version,
      title: version.title,
      content: version.content,
      unchanged: version.unchanged,
      author_id: version.authorId,
      author_kind: version.authorKind,
      agent_vendor: version.agentVendor,
      model_id: version.modelId,
      input_tokens: version.tokens?.input_tokens ?? null,
      output_tokens: version.tokens?.output_tokens ?? null,
      created_at: version.at,
    })
    .execute();
}

/** Locks a version that has not been checked for addressed comments yet. Other workers skip it. */
export async function claimUncomparedVersion(db: Db) {
  return db
    .selectFrom('plan_versions')
    .select(['id', 'organization_id', 'plan_id', 'version', 'unchanged', 'created_at'])
    .where('compared_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export type UncomparedVersion = NonNullable<Awaited<ReturnType<typeof claimUncomparedVersion>>>;

export async function markVersionCompared(db: Db, versionId: string, at: Date): Promise<void> {
  await db.updateTable('plan_versions').set({ compared_at: at }).where('id', '=', versionId).execute();
}

/** Whether a version has exactly this content. */
export async function hasContent(db: Db, versionId: string, content: string): Promise<boolean> {
  const row = await db
    .selectFrom('plan_versions')
    .select(sql<boolean>`content = ${content}`.as('same'))
    .where('id', '=', versionId)
    .executeTakeFirstOrThrow();
  return row.same;
}

const VERSION_COLUMNS = [
  'v.id',
  'v.version',
  'v.title',
  'v.unchanged',
  'v.author_id',
  'v.author_kind',
  'u.name as author_name',
  'v.agent_vendor',
  'v.model_id',
  'v.input_tokens',
  'v.output_tokens',
  'v.created_at',
] as const;

export function selectVersions(db: Db, planId: string, limit: number) {
  return db
    .selectFrom('plan_versions as v')
    .innerJoin('users as u', 'u.id', 'v.author_id')
    .select(VERSION_COLUMNS)
    .where('v.plan_id', '=', planId)
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute();
}

export type VersionRow = Awaited<ReturnType<typeof selectVersions>>[number];

export function selectVersion(db: Db, planId: string, version: number) {
  return db
    .selectFrom('plan_versions as v')
    .innerJoin('users as u', 'u.id', 'v.author_id')
    .select([...VERSION_COLUMNS, 'v.content'])
    .where('v.plan_id', '=', planId)
    .where('v.version', '=', version)
    .executeTakeFirst();
}

/** The contents of some versions of a plan, by ID. */
export async function selectContents(
  db: Db,
  planId: string,
  versionIds: string[],
): Promise<Map<string, { version: number; content: string }>> {
  const rows = await db
    .selectFrom('plan_versions')
    .select(['id', 'version', 'content'])
    .where('plan_id', '=', planId)
    .where(sql<boolean>`id = ANY(${versionIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** A plan with its latest version; undefined if it doesn't exist or was deleted. */
export async function selectCurrentPlan(db: Db, organizationId: string, seriesId: string) {
  return db
    .selectFrom('plans as p')
    .innerJoin('plan_versions as v', 'v.id', 'p.version_id')
    .innerJoin('users as u', 'u.id', 'p.created_by')
    .select([
      'p.id',
      'p.series_id',
      'p.status',
      'p.title',
      'p.created_by',
      'u.name as creator_name',
      'p.created_at',
      'p.updated_at',
      'p.last_event',
      'p.comment_count',
      'p.content_since',
      'p.changes_requested_at',
      isApproved('p').as('is_approved'),
      'v.id as version_id',
      'v.version',
      'v.content',
      'v.author_id',
      'v.agent_vendor',
      'v.model_id',
      'v.input_tokens',
      'v.output_tokens',
    ])
    .where('p.organization_id', '=', organizationId)
    .where('p.series_id', '=', seriesId)
    .where('p.status', '<>', 'deleted')
    .executeTakeFirst();
}

export type CurrentPlanRow = NonNullable<Awaited<ReturnType<typeof selectCurrentPlan>>>;
