/** Queries for what merge rules are evaluated with. They lock nothing: the caller holds the pull request. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { visibleTo } from '../../repositories/index.ts';
import { writersHere } from '../store/writers-store.ts';
import type { VerdictFact } from './standing-verdicts.ts';

/** Approvals and requests for changes, in the order in which they were given. */
export async function selectVerdictFacts(db: Db, pullRequestId: string): Promise<VerdictFact[]> {
  const member = sql.ref('m.user_id');
  const rows = await db
    .selectFrom('pull_request_verdicts as v')
    .innerJoin('pull_requests as p', 'p.id', 'v.pull_request_id')
    .innerJoin('repositories as r', 'r.id', 'p.repository_id')
    .leftJoin('host_accounts as a', 'a.id', 'v.account_id')
    .leftJoin('memberships as m', (join) =>
      join
        .onRef('m.organization_id', '=', 'v.organization_id')
        .on('m.user_id', '=', sql<string>`coalesce(v.user_id, a.user_id)`),
    )
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .select([
      sql<string>`coalesce(v.user_id::text, a.user_id::text, v.account_id::text, 'name:' || v.name)`.as(
        'person',
      ),
      'v.user_id',
      sql<string>`coalesce(u.name, a.name, v.name)`.as('name'),
      sql<boolean>`coalesce(a.is_bot, false)`.as('is_bot'),
      sql<boolean | null>`CASE WHEN m.user_id IS NOT NULL
        THEN m.deactivated_at IS NULL AND m.role <> 'viewer' AND ${visibleTo(member)} END`.as('is_reviewer'),
      'v.verdict',
      sql<boolean>`v.dismissed_at IS NOT NULL`.as('is_dismissed'),
      'v.commit',
      'v.kept_for_head',
      'v.base_branch',
      'v.own_work',
    ])
    .where('v.pull_request_id', '=', pullRequestId)
    .where('v.verdict', '<>', 'commented')
    .orderBy('v.created_at')
    .orderBy('v.id')
    .execute();
  return rows.map((row) => ({
    person: row.person,
    userId: row.user_id,
    name: row.name,
    isBot: row.is_bot,
    isReviewer: row.is_reviewer,
    verdict: row.verdict as VerdictFact['verdict'],
    isDismissed: row.is_dismissed,
    commit: row.commit,
    keptForHead: row.kept_for_head,
    baseBranch: row.base_branch,
    ownWork: row.own_work,
  }));
}

/** More approvals than this are never required. */
const MAX_REVIEWERS_LEFT = 10;

/**
 * Discussions that no person resolved or dismissed, the only active person, whose own work it is (who opened it, pushed or suggested here, or
 * wrote or committed its commits), how many others could approve it, and the active members among these.
 */
export async function selectMergeCircumstances(
  db: Db,
  {
    organizationId,
    pullRequestId,
    userIds,
  }: { organizationId: string; pullRequestId: string; userIds: string[] },
) {
  const { rows } = await sql<{
    unresolved: number;
    author_id: string | null;
    only_person_id: string | null;
    own_work_ids: string[];
    reviewers_left: number;
    people: { id: string; name: string }[];
  }>`SELECT
      (SELECT count(*)::int FROM discussions d WHERE d.pull_request_id = p.id
        AND NOT (d.status = 'resolved' AND d.status_cause IN ('person', 'dismissed'))) AS unresolved,
      author.id AS author_id, own.ids AS own_work_ids,
      (SELECT count(*)::int FROM (SELECT FROM memberships m JOIN repositories r ON r.id = p.repository_id
        WHERE m.organization_id = p.organization_id AND m.deactivated_at IS NULL AND m.role <> 'viewer'
        AND NOT m.user_id = ANY(own.ids) AND ${visibleTo(sql`m.user_id`)} LIMIT ${MAX_REVIEWERS_LEFT}) AS others) AS reviewers_left,
      (SELECT CASE WHEN count(*) = 1 THEN (array_agg(one.user_id))[1] END FROM (SELECT m.user_id FROM memberships m
        WHERE m.organization_id = p.organization_id AND m.deactivated_at IS NULL LIMIT 2) AS one) AS only_person_id,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name)), '[]') FROM memberships m
        JOIN users u ON u.id = m.user_id WHERE m.organization_id = p.organization_id
        AND m.user_id = ANY(${userIds}::uuid[]) AND m.deactivated_at IS NULL) AS people
    FROM pull_requests p
    CROSS JOIN LATERAL (SELECT coalesce(p.author_user_id, (SELECT a.user_id FROM host_accounts a
      WHERE a.id = p.author_account_id)) AS id) AS author
    CROSS JOIN LATERAL (SELECT array_remove(author.id || ARRAY(SELECT DISTINCT w.user_id FROM (${writersHere}) AS w)
      || (SELECT o.writer_ids FROM pull_request_owners o WHERE o.pull_request_id = p.id
        AND p.owners_head = p.head_commit AND p.owners_base = p.base_commit), NULL) AS ids OFFSET 0) AS own
    WHERE p.organization_id = ${organizationId} AND p.id = ${pullRequestId}`.execute(db);
  return rows[0]!;
}
