/** Queries that write reviews and review requests of a pull request. */
import { sql } from 'kysely';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { visibleTo } from '../../repositories/index.ts';
import { writersHere } from './writers-store.ts';

export interface NewVerdict {
  id: string;
  pullRequestId: string;
  organizationId: string;
  /** Null for the service itself, and on a code host, where an account gives it. */
  userId: string | null;
  accountId?: string | null;
  name: string;
  verdict: 'approved' | 'changes_requested' | 'commented';
  note: string | null;
  commit: string | null;
  baseBranch: string;
  /** For approvals given here: whether it was to the person's own work, and what let it through. */
  ownWork?: 'no' | 'self_approval' | 'only_person';
  at: Date;
  dismissedAt?: Date | null;
  hostReviewId?: string;
  sending: 'waiting' | 'none';
}

export async function insertVerdict(db: Db, verdict: NewVerdict): Promise<void> {
  await db
    .insertInto('pull_request_verdicts')
    .values({
      id: verdict.id,
      pull_request_id: verdict.pullRequestId,
      organization_id: verdict.organizationId,
      user_id: verdict.userId,
      account_id: verdict.accountId ?? null,
      name: verdict.name,
      verdict: verdict.verdict,
      note: verdict.note,
      commit: verdict.commit,
      base_branch: verdict.baseBranch,
      own_work: verdict.ownWork ?? null,
      created_at: verdict.at,
      dismissed_at: verdict.dismissedAt ?? null,
      host_review_id: verdict.hostReviewId ?? null,
      sending: verdict.sending,
    })
    .execute();
}

/** Whether the member's newest verdict here, apart from comments, requests changes. */
export async function hasOpenRequest(db: Db, pullRequestId: string, userId: string): Promise<boolean> {
  const newest = await db
    .selectFrom('pull_request_verdicts')
    .select(['verdict', 'dismissed_at'])
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .where('verdict', '<>', 'commented')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.verdict === 'changes_requested' && newest.dismissed_at === null;
}

export async function dismissRequests(
  db: Db,
  pullRequestId: string,
  userId: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('pull_request_verdicts')
    .set({ dismissed_at: at })
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .where('verdict', '=', 'changes_requested')
    .where('dismissed_at', 'is', null)
    .execute();
}

export async function updateVerdict(
  db: Db,
  verdictId: string,
  set: {
    host_review_id?: string | null;
    verdict?: 'approved' | 'changes_requested' | 'commented';
    base_branch?: string;
    note?: string | null;
    dismissed_at?: Date | null;
    dismissed_by?: string;
    dismissal_reason?: string;
    kept_for_head?: string;
    kept_checked_head?: string;
    kept_failures?: number;
    kept_retry_at?: null;
    sending?: 'waiting' | 'sent' | 'failed';
    sending_problem?: string | null;
  },
): Promise<void> {
  await db.updateTable('pull_request_verdicts').set(set).where('id', '=', verdictId).execute();
}

/** A verdict that a member gave here, and whether it is their newest apart from comments. */
export function selectVerdictToDismiss(db: Db, pullRequestId: string, verdictId: string) {
  return db
    .selectFrom('pull_request_verdicts as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .leftJoin('users as by', 'by.id', 'v.dismissed_by')
    .select(['v.user_id', 'u.name', 'v.verdict', 'v.dismissed_at', 'by.name as dismissed_by'])
    .select(
      sql<boolean>`NOT EXISTS (SELECT FROM pull_request_verdicts later WHERE later.pull_request_id = v.pull_request_id
        AND later.user_id = v.user_id AND later.verdict <> 'commented'
        AND (later.created_at, later.id) > (v.created_at, v.id))`.as('is_newest'),
    )
    .where('v.pull_request_id', '=', pullRequestId)
    .where('v.id', '=', verdictId)
    .executeTakeFirst();
}

/** Only verdicts given here; on a code host, an account gives them. */
export function selectLastVerdict(db: Db, pullRequestId: string, userId: string) {
  return db
    .selectFrom('pull_request_verdicts')
    .select(['verdict', 'note', 'commit', 'base_branch', 'own_work', 'dismissed_at', 'sending'])
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The member who opened it, here or with an account that is linked to them; null if nobody is known. */
export async function selectAuthorId(db: Db, pullRequestId: string): Promise<string | null> {
  const row = await db
    .selectFrom('pull_requests as p')
    .leftJoin('host_accounts as a', 'a.id', 'p.author_account_id')
    .select(sql<string | null>`coalesce(p.author_user_id, a.user_id)`.as('id'))
    .where('p.id', '=', pullRequestId)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Whether this member pushed to it here, or suggested what was applied. */
export async function hasPushed(db: Db, pullRequestId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pull_requests as p')
    .select('p.id')
    .where('p.id', '=', pullRequestId)
    .where(sql<boolean>`${userId}::uuid IN (${writersHere})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** By which names a member's commits are known, and whether the repository of a pull request was ever cloned. */
export async function selectCommitNames(
  db: Db,
  person: { organizationId: string; userId: string },
  pullRequestId: string,
): Promise<{
  emails: string[];
  isCloned: boolean;
  accounts: { hostAccountId: string; login: string; hostUrl: string }[];
}> {
  const { emails, isCloned } = await db
    .selectFrom('users as u')
    .innerJoin('pull_requests as p', (join) => join.on('p.id', '=', pullRequestId))
    .innerJoin('repositories as r', 'r.id', 'p.repository_id')
    .select([
      sql<string[]>`u.email || ARRAY(SELECT f.email FROM former_emails f WHERE f.user_id = u.id)`.as(
        'emails',
      ),
      sql<boolean>`r.state NOT IN ('waiting', 'cloning', 'failed')`.as('isCloned'),
    ])
    .where('u.id', '=', person.userId)
    .executeTakeFirstOrThrow();
  const accounts = await db
    .selectFrom('host_accounts as a')
    .innerJoin('code_hosts as h', 'h.id', 'a.code_host_id')
    .select(['a.host_account_id as hostAccountId', 'a.login', 'h.url as hostUrl'])
    .where('a.organization_id', '=', person.organizationId)
    .where('a.user_id', '=', person.userId)
    .execute();
  return { emails, isCloned, accounts };
}

interface CommitAccount {
  userId: string;
  hostAccountId: string;
  login: string;
  hostUrl: string;
}

/** The members with these addresses, now or formerly; and the linked accounts of all, whose hosts can give them other addresses. */
export async function selectCommitMembers(
  db: Db,
  organizationId: string,
  emails: string[],
): Promise<{ userIds: string[]; accounts: CommitAccount[] }> {
  const members = await db
    .selectFrom('memberships as m')
    .select('m.user_id')
    .where('m.organization_id', '=', organizationId)
    .where(
      sql<boolean>`m.user_id IN (SELECT id FROM users WHERE email = ANY(${emails}::text[])
        UNION SELECT user_id FROM former_emails WHERE email = ANY(${emails}::text[]))`,
    )
    .execute();
  // Before the at sign is the login, an ID, or both with a sign between them.
  const names = emails.flatMap((email) => (email.includes('noreply') ? [email.split('@')[0]!] : []));
  const ids = names.map((name) => name.split(/[+-]/)[0]!);
  const { rows: accounts } = await sql<CommitAccount>`
    SELECT a.user_id AS "userId", a.host_account_id AS "hostAccountId", a.login, h.url AS "hostUrl"
    FROM code_hosts h JOIN host_accounts a ON a.code_host_id = h.id
    WHERE h.organization_id = ${organizationId} AND a.user_id IS NOT NULL AND a.host_account_id = ANY(${ids}::text[])
    UNION ALL
    SELECT a.user_id, a.host_account_id, a.login, h.url
    FROM host_accounts a JOIN code_hosts h ON h.id = a.code_host_id
    WHERE a.organization_id = ${organizationId} AND a.user_id IS NOT NULL AND lower(a.login) = ANY(${names}::text[])`.execute(
    db,
  );
  return { userIds: members.map(({ user_id }) => user_id), accounts };
}

/** Names of those among these users who are active members and can see the repository. */
export async function selectPossibleReviewers(
  db: Db,
  repositoryId: string,
  userIds: string[],
  { withoutViewers = false } = {},
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('repositories as r')
    .innerJoin('memberships as member', 'member.organization_id', 'r.organization_id')
    .innerJoin('users as u', 'u.id', 'member.user_id')
    .select(['u.id', 'u.name'])
    .where('r.id', '=', repositoryId)
    .where('member.user_id', '=', sql<string>`ANY(${userIds}::uuid[])`)
    .where('member.deactivated_at', 'is', null)
    .where(visibleTo(sql`member.user_id`))
    .$if(withoutViewers, (query) => query.where('member.role', '<>', 'viewer'))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Renews requests that exist already. */
export async function replaceReviewRequests(
  db: Db,
  pullRequest: { id: string; organization_id: string },
  reviewers: ({ userId: string; name: string } | { teamId: string; name: string })[],
  at: Date,
): Promise<void> {
  const userIds = reviewers.flatMap((one) => ('userId' in one ? [one.userId] : []));
  const teamIds = reviewers.flatMap((one) => ('teamId' in one ? [one.teamId] : []));
  await sql`DELETE FROM pull_request_review_requests q WHERE q.pull_request_id = ${pullRequest.id}
    AND (${toMembers(userIds)} OR q.team_id = ANY(${teamIds}::uuid[]))`.execute(db);
  await insertReviewRequests(db, pullRequest, reviewers, at);
}

/** The request `q` is to one of these members, also through an account that is linked to them. */
const toMembers = (userIds: string[]) => sql<boolean>`(q.user_id = ANY(${userIds}::uuid[])
  OR (SELECT a.user_id FROM host_accounts a WHERE a.id = q.account_id) = ANY(${userIds}::uuid[]))`;

/** A request is made to a member or team here, or on the code host to an account or a team. */
export async function insertReviewRequests(
  db: Db,
  pullRequest: { id: string; organization_id: string },
  requests: {
    userId?: string;
    teamId?: string | null;
    accountId?: string | null;
    /** The path of a team that the code host asked. */
    hostTeam?: string | null;
    name: string;
  }[],
  at: Date,
): Promise<void> {
  if (requests.length === 0) return;
  await db
    .insertInto('pull_request_review_requests')
    .values(
      requests.map(({ accountId, hostTeam, name, teamId, userId }) => ({
        id: uuidv7(),
        pull_request_id: pullRequest.id,
        organization_id: pullRequest.organization_id,
        user_id: userId ?? null,
        team_id: teamId ?? null,
        account_id: accountId ?? null,
        host_team: hostTeam ?? null,
        name,
        requested_at: at,
      })),
    )
    .execute();
}

/** Requests to these members, also through accounts that are linked to them, and to their teams: one answers for all. Returns whether there were any. */
export async function deleteReviewRequests(
  db: Db,
  pullRequestId: string,
  userIds: string[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM pull_request_review_requests q
    WHERE q.pull_request_id = ${pullRequestId} AND (${toMembers(userIds)}
      OR EXISTS (SELECT FROM team_members t WHERE t.team_id = q.team_id AND t.user_id = ANY(${userIds}::uuid[])))`.execute(
    db,
  );
  return numAffectedRows !== 0n;
}

export async function deleteReviewRequestsById(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0)
    await sql`DELETE FROM pull_request_review_requests WHERE id = ANY(${ids}::uuid[])`.execute(db);
}
