/** Queries for merge rules. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleTo } from '../../repositories/index.ts';
import type { MergeRuleTerms, RequiredStatus, StoredMergeRule } from './choose-rule.ts';

const TERMS = [
  ...([
    'rule.id',
    'rule.repository_id',
    'rule.pattern',
    'rule.approvals',
    'rule.owners',
    'rule.statuses',
  ] as const),
  ...(['rule.resolved_discussions', 'rule.approved_plan', 'rule.keep_approvals'] as const),
  ...(['rule.allow_only_person', 'rule.merge_role', 'rule.merge_user_ids'] as const),
];

interface TermsRow {
  approvals: number;
  owners: boolean;
  statuses: unknown;
  resolved_discussions: boolean;
  approved_plan: boolean;
  keep_approvals: boolean;
  allow_only_person: boolean;
  merge_role: 'member' | 'admin' | 'owner' | null;
  merge_user_ids: string[];
}

export function termsOf(row: TermsRow): MergeRuleTerms {
  return {
    approvals: row.approvals,
    owners: row.owners,
    statuses: row.statuses as RequiredStatus[],
    resolvedDiscussions: row.resolved_discussions,
    approvedPlan: row.approved_plan,
    keepApprovals: row.keep_approvals,
    allowOnlyPerson: row.allow_only_person,
    mergeRole: row.merge_role,
    mergeUserIds: row.merge_user_ids,
  };
}

/** The most specific of them applies; see choose-rule.ts. */
export async function selectRulesFor(
  db: Db,
  repository: { organizationId: string; repositoryId: string },
): Promise<StoredMergeRule[]> {
  const rows = await db
    .selectFrom('merge_rules as rule')
    .select(TERMS)
    .where('rule.organization_id', '=', repository.organizationId)
    .where((where) =>
      where.or([
        where('rule.repository_id', 'is', null),
        where('rule.repository_id', '=', repository.repositoryId),
      ]),
    )
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, repositoryId: row.repository_id, pattern: row.pattern },
    ...termsOf(row),
  }));
}

export async function selectDefaultBranch(db: Db, repositoryId: string): Promise<string | null> {
  const row = await db
    .selectFrom('repositories')
    .select('default_branch')
    .where('id', '=', repositoryId)
    .executeTakeFirst();
  return row?.default_branch ?? null;
}

/** A reader gets those of repositories that they see; the operator, who is none, gets all. */
export function selectMergeRules(db: Db, organizationId: string, reader: Reader | null) {
  return db
    .selectFrom('merge_rules as rule')
    .leftJoin('repositories as r', 'r.id', 'rule.repository_id')
    .leftJoin('users as u', 'u.id', 'rule.updated_by')
    .select(TERMS)
    .select(['r.name as repository_name', 'rule.updated_at', 'rule.updated_by', 'u.name as updated_by_name'])
    .where('rule.organization_id', '=', organizationId)
    .$if(reader !== null, (query) =>
      query.where((where) =>
        where.or([where('rule.repository_id', 'is', null), visibleTo(sql`${reader!.userId}::uuid`)]),
      ),
    )
    .execute();
}

export type MergeRuleRow = Awaited<ReturnType<typeof selectMergeRules>>[number];

/** So that rules of an organization are changed one after the other. */
export async function lockRules(db: Db, organizationId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('merge_rules:' || ${organizationId}, 0))`.execute(
    db,
  );
}

export interface RuleToSave extends MergeRuleTerms {
  id: string;
  organizationId: string;
  repositoryId: string | null;
  pattern: string;
  updatedBy: string | null;
  at: Date;
}

/** Replaces the one with the same repository and pattern. */
export async function upsertMergeRule(db: Db, rule: RuleToSave): Promise<void> {
  const values = {
    approvals: rule.approvals,
    owners: rule.owners,
    statuses: JSON.stringify(rule.statuses),
    resolved_discussions: rule.resolvedDiscussions,
    approved_plan: rule.approvedPlan,
    keep_approvals: rule.keepApprovals,
    allow_only_person: rule.allowOnlyPerson,
    merge_role: rule.mergeRole,
    merge_user_ids: rule.mergeUserIds,
    updated_by: rule.updatedBy,
    updated_at: rule.at,
  };
  await db
    .insertInto('merge_rules')
    .values({
      id: rule.id,
      organization_id: rule.organizationId,
      repository_id: rule.repositoryId,
      pattern: rule.pattern,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'repository_id', 'pattern']).doUpdateSet(values),
    )
    .execute();
}

export async function deleteMergeRuleRow(db: Db, organizationId: string, id: string): Promise<void> {
  await db
    .deleteFrom('merge_rules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The active members among these users. */
export async function selectNamesOf(
  db: Db,
  organizationId: string,
  userIds: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name'])
    .where('m.organization_id', '=', organizationId)
    .where(sql<boolean>`m.user_id = ANY(${userIds}::uuid[])`)
    .where('m.deactivated_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
