/** Queries for pull requests and the heads they had. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { ChangeSource } from '../../events/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { PullRequestState } from '../contract.ts';

/** The pull request with its repository's name; undefined if the reader can't see its repository. */
export function selectPullRequest(db: Db, reader: Reader, pullRequestId: string) {
  return visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .selectAll('p')
    .select('r.name as repository_name')
    .where('p.id', '=', pullRequestId)
    .executeTakeFirst();
}

/** For the operator, who sees everything in an organization. */
export function selectPullRequestByNumber(
  db: Db,
  organizationId: string,
  repositoryId: string,
  number: number,
) {
  return db
    .selectFrom('pull_requests')
    .select(['id', 'origin', 'state', 'url'])
    .where('organization_id', '=', organizationId)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst();
}

export type FoundPullRequest = NonNullable<Awaited<ReturnType<typeof selectPullRequest>>>;

/** For background work; undefined if it was deleted. */
export function selectPullRequestById(db: Db, organizationId: string, pullRequestId: string) {
  return db
    .selectFrom('pull_requests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', pullRequestId)
    .executeTakeFirst();
}

/** Locks the pull request, so that its changes happen one at a time and its events are numbered without gaps. */
export function lockPullRequest(db: Db, organizationId: string, pullRequestId: string) {
  return db
    .selectFrom('pull_requests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', pullRequestId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type PullRequestRow = NonNullable<Awaited<ReturnType<typeof lockPullRequest>>>;

/** For the outbox of events: those of these pull requests that nobody is changing. */
export function lockIdlePullRequests(db: Db, ids: string[]) {
  return db
    .selectFrom('pull_requests')
    .select(['id', 'last_event'])
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked();
}

export type PullRequestValues = Partial<
  Omit<PullRequestRow, 'id' | 'organization_id' | 'repository_id' | 'folded_head_owner' | 'last_event'>
>;

export async function updatePullRequest(
  db: Db,
  pullRequest: Pick<PullRequestRow, 'id' | 'organization_id'>,
  set: PullRequestValues & { last_event: string },
): Promise<void> {
  await db
    .updateTable('pull_requests')
    .set(set)
    .where('id', '=', pullRequest.id)
    .where('organization_id', '=', pullRequest.organization_id)
    .execute();
}

export interface NewPullRequest {
  id: string;
  organizationId: string;
  repositoryId: string;
  number: number;
  origin: 'git' | 'host';
  title: string;
  description: string;
  state: PullRequestState;
  author: {
    kind: 'person' | 'agent' | 'bot';
    userId: string | null;
    accountId: string | null;
    name: string;
  };
  /** The full name of the fork; null for the same repository. */
  headRepository: string | null;
  headBranch: string;
  baseBranch: string;
  labels: string[];
  url: string | null;
  /** The merged pull request that it reverts. */
  revertsId?: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  mergedAt: Date | null;
  closedAt: Date | null;
}

/** Undefined if the repository already has one with this number. */
export async function insertPullRequestRow(
  db: Db,
  values: NewPullRequest,
): Promise<PullRequestRow | undefined> {
  return db
    .insertInto('pull_requests')
    .values({
      id: values.id,
      organization_id: values.organizationId,
      repository_id: values.repositoryId,
      number: values.number,
      origin: values.origin,
      title: values.title,
      description: values.description,
      state: values.state,
      author_kind: values.author.kind,
      author_user_id: values.author.userId,
      author_account_id: values.author.accountId,
      author_name: values.author.name,
      head_repository: values.headRepository,
      head_branch: values.headBranch,
      base_branch: values.baseBranch,
      head_count: 0,
      labels: values.labels,
      url: values.url,
      reverts_id: values.revertsId ?? null,
      created_at: values.createdAt,
      updated_at: values.updatedAt,
      merged_at: values.mergedAt,
      closed_at: values.closedAt,
      last_event: 0,
      discussion_count: 0,
      open_discussion_count: 0,
      comment_count: 0,
    })
    .onConflict((conflict) => conflict.columns(['repository_id', 'number']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export interface NewHead {
  commit: string;
  baseCommit: string | null;
  /** Null until it is known. */
  mergeBase: string | null;
  /** Whether it does not contain the head before it; null until that is known, and for the first one. */
  forced: boolean | null;
  /** Who wrote its newest commit, if nobody here made the push. */
  author?: string | undefined;
  /** How many suggestions it applies, if it was made here for that. */
  suggestions?: number | undefined;
  /** The base branch that it brings in, if it was made here for that. */
  updatedWith?: string | undefined;
  /** Who pushed it; default: who makes the change. */
  by?: ChangeSource | undefined;
}

export async function insertHead(
  db: Db,
  pullRequest: Pick<PullRequestRow, 'id' | 'organization_id'>,
  head: NewHead & { position: number; at: Date },
): Promise<void> {
  await db
    .insertInto('pull_request_heads')
    .values({
      pull_request_id: pullRequest.id,
      organization_id: pullRequest.organization_id,
      position: head.position,
      commit: head.commit,
      base_commit: head.baseCommit,
      merge_base: head.mergeBase,
      forced: head.forced,
      seen_at: head.at,
    })
    .execute();
}

/** Fills in what was not known when the head was seen. */
export async function updateHead(
  db: Db,
  pullRequestId: string,
  position: number,
  values: { base_commit?: string | null; merge_base?: string | null; forced?: boolean | null },
): Promise<void> {
  await db
    .updateTable('pull_request_heads')
    .set(values)
    .where('pull_request_id', '=', pullRequestId)
    .where('position', '=', position)
    .execute();
}

/** The newest heads, oldest first. */
export async function selectHeads(db: Db, pullRequestId: string, limit: number) {
  const rows = await db
    .selectFrom('pull_request_heads')
    .select(['position', 'commit', 'base_commit', 'merge_base', 'forced', 'seen_at'])
    .where('pull_request_id', '=', pullRequestId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Whether it is, or was, the head of the pull request. */
export async function wasHead(db: Db, pullRequestId: string, commit: string): Promise<boolean> {
  const row = await db
    .selectFrom('pull_request_heads')
    .select('position')
    .where('pull_request_id', '=', pullRequestId)
    .where('commit', '=', commit)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The commits that a head was last compared with; undefined if it was never the head of the pull request. */
export async function selectHeadOf(db: Db, pullRequestId: string, commit: string) {
  return db
    .selectFrom('pull_request_heads')
    .select(['base_commit', 'merge_base'])
    .where('pull_request_id', '=', pullRequestId)
    .where('commit', '=', commit)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type HeadRow = Awaited<ReturnType<typeof selectHeads>>[number];

/** Every head that the repository's pull requests had, and what each was compared with. */
export async function selectRecordedCommits(db: Db, repositoryId: string): Promise<string[]> {
  const { rows } = await sql<{ commit: string }>`
    SELECT DISTINCT c.commit FROM pull_requests p
      JOIN pull_request_heads h ON h.pull_request_id = p.id
      CROSS JOIN LATERAL (VALUES (h.commit), (h.merge_base)) AS c (commit)
      WHERE p.repository_id = ${repositoryId} AND c.commit IS NOT NULL`.execute(db);
  return rows.map(({ commit }) => commit);
}

/**
 * The newest pull request of a branch, whatever its state. `branch` is a head branch of the repository or of a fork;
 * `owner:branch` is the branch of that owner's repository.
 */
export async function newestPullRequestOfBranch(
  db: Db,
  reader: Reader,
  repositoryId: string,
  branch: string,
): Promise<FoundPullRequest | undefined> {
  const ofBranch = (name: string) =>
    visibleRepositories(db, reader)
      .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
      .selectAll('p')
      .select('r.name as repository_name')
      .where('r.id', '=', repositoryId)
      .where('p.head_branch', '=', name)
      .orderBy('p.created_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(1);
  const named = await ofBranch(branch).executeTakeFirst();
  const [, owner, rest] = /^([^:]+):(.+)$/s.exec(branch) ?? [];
  if (owner === undefined || rest === undefined) return named;
  const folded = owner.toLowerCase();
  const ofOwner = await ofBranch(rest)
    .where((where) =>
      where.or([
        where('p.folded_head_owner', '=', folded),
        where.and([
          where('p.head_repository', 'is', null),
          where(sql`regexp_replace(r.folded_name, '/[^/]*$', '')`, '=', folded),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (!named || !ofOwner) return named ?? ofOwner;
  return ofOwner.created_at > named.created_at ? ofOwner : named;
}
