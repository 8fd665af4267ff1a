/** Queries that remove a person: personal rows are deleted, and what they wrote for others stays without their name. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { unlinkPerson } from '../code-hosts/index.ts';

/**
 * Every column that refers to a person, and what happens to its rows. A test compares this list with the database.
 * `delete`: the row is theirs alone. `clear`: the row belongs to others and no longer names them. `keep`: it says who did
 * something, and shows the replaced name.
 */
export const PERSON_COLUMNS: Readonly<Record<string, 'delete' | 'clear' | 'keep'>> = {
  'sessions.user_id': 'delete',
  'api_keys.user_id': 'delete',
  'former_emails.user_id': 'delete',
  'oauth_records.user_id': 'delete',
  'single_sign_on_identities.user_id': 'delete',
  'single_sign_on_redirects.user_id': 'delete',
  'code_host_redirects.user_id': 'delete',
  'first_steps.user_id': 'delete',
  'mails.user_id': 'delete',
  'comment_reactions.user_id': 'delete',
  'pending_comments.user_id': 'delete',
  'waiting_merges.user_id': 'delete',
  'mail_settings.user_id': 'delete',
  'inbox_items.user_id': 'delete',
  'mentions.user_id': 'delete',
  'watches.user_id': 'delete',
  'plan_muted_threads.user_id': 'delete',
  'plan_review_requests.user_id': 'delete',
  'pull_request_assignees.user_id': 'delete',
  'pull_request_mutes.user_id': 'delete',
  'pull_request_viewed_files.user_id': 'delete',
  'pull_request_last_seen_heads.user_id': 'delete',
  'pull_request_review_requests.user_id': 'delete',
  'repository_members.user_id': 'delete',
  'team_members.user_id': 'delete',
  'host_accounts.user_id': 'clear',
  'memberships.user_id': 'keep',
  'merge_rules.updated_by': 'keep',
  'agent_reviews.user_id': 'keep',
  'audit_events.actor_user_id': 'keep',
  'code_host_selections.created_by': 'keep',
  'code_hosts.created_by': 'keep',
  'commit_statuses.user_id': 'keep',
  'deleted_comments.deleted_by': 'keep',
  'discussions.author_user_id': 'keep',
  'discussions.status_user_id': 'keep',
  'events.actor_user_id': 'keep',
  'excluded_paths.updated_by': 'keep',
  'finding_decisions.decided_by': 'keep',
  'images.user_id': 'keep',
  'invitation_links.created_by': 'keep',
  'invitations.invited_by': 'keep',
  'model_settings.updated_by': 'keep',
  'organization_switches.updated_by': 'keep',
  'own_pushes.user_id': 'keep',
  'plan_comments.author_id': 'keep',
  'plan_pull_requests.linked_by': 'keep',
  'plan_review_requests.requested_by': 'keep',
  'plan_reviews.user_id': 'keep',
  'plan_versions.author_id': 'keep',
  'planner_events.user_id': 'keep',
  'planner_sessions.user_id': 'keep',
  'plans.created_by': 'keep',
  'pull_request_comments.author_user_id': 'keep',
  'pull_request_merges.user_id': 'keep',
  'pull_request_verdicts.dismissed_by': 'keep',
  'pull_request_verdicts.user_id': 'keep',
  'pull_requests.author_user_id': 'keep',
  'pull_requests.review_requested_by': 'keep',
  'review_runs.requested_by': 'keep',
  'review_trials.started_by': 'keep',
  'reviewer_versions.created_by': 'keep',
  'reviewers.created_by': 'keep',
  'setting_changes.changed_by': 'keep',
  'suggestion_commits.user_id': 'keep',
  'webhooks.created_by': 'keep',
};

/** Copies of the name next to what they wrote. */
const NAME_COLUMNS: [table: string, person: string, name: string][] = [
  ['discussions', 'author_user_id', 'author_name'],
  ['discussions', 'status_user_id', 'status_name'],
  ['pull_requests', 'author_user_id', 'author_name'],
  ['pull_request_comments', 'author_user_id', 'author_name'],
  ['pull_request_verdicts', 'user_id', 'name'],
];

export const DELETED_NAME = 'Deleted user';

export interface PersonToDelete {
  id: string;
  name: string;
  email: string;
}

const placeOf = (column: string) => {
  const [table, name] = column.split('.') as [string, string];
  return { table: sql.table(table), name: sql.ref(name) };
};

export async function countPersonRows(db: Db, userId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const column of Object.keys(PERSON_COLUMNS)) {
    const { name, table } = placeOf(column);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${table} WHERE ${name} = ${userId}`.execute(db);
    counts[column] = rows[0]!.count;
  }
  return counts;
}

/** Organizations in which nobody else is an active owner. */
export async function selectOwnedAlone(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT o.name FROM memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} AND m.role = 'owner' AND m.deactivated_at IS NULL
      AND NOT EXISTS (SELECT FROM memberships other WHERE other.organization_id = m.organization_id
        AND other.user_id <> m.user_id AND other.role = 'owner' AND other.deactivated_at IS NULL)
    ORDER BY o.name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The person's organizations, locked so that their owners can't change. */
export async function lockOrganizationsOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM organizations WHERE id IN (SELECT organization_id FROM memberships WHERE user_id = ${userId})
    ORDER BY id FOR UPDATE`.execute(db);
  return rows.map(({ id }) => id);
}

export async function removePersonRows(db: Db, userId: string): Promise<void> {
  for (const [column, fate] of Object.entries(PERSON_COLUMNS)) {
    const { name, table } = placeOf(column);
    if (fate === 'delete') await sql`DELETE FROM ${table} WHERE ${name} = ${userId}`.execute(db);
  }
  await unlinkPerson(db, userId);
  for (const [table, person, name] of NAME_COLUMNS) {
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${DELETED_NAME}
      WHERE ${sql.ref(person)} = ${userId}`.execute(db);
  }
}

/** The email addresses that a person has or had, without those that are another person's now. */
export async function selectEmails(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`SELECT email FROM users WHERE id = ${userId}
    UNION SELECT f.email FROM former_emails f
      WHERE f.user_id = ${userId} AND NOT EXISTS (SELECT FROM users u WHERE u.email = f.email)`.execute(db);
  return rows.map(({ email }) => email);
}
