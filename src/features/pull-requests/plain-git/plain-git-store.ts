/** Queries for pull requests of plain git: their branches, numbers, and those whose branches have moved. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { ACTIVE_PULL_REQUEST_STATES } from '../contract.ts';

/** Where the repository's pull requests are opened; undefined for plain git. */
export function selectHostOf(db: Db, repositoryId: string) {
  return db
    .selectFrom('repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select(['h.kind', 'h.url'])
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
}

/** The commits of these branches, by name. */
export async function selectBranchCommits(
  db: Db,
  repositoryId: string,
  names: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('repository_refs')
    .select(['name', 'commit'])
    .where('repository_id', '=', repositoryId)
    .where('kind', '=', 'branch')
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ commit, name }) => [name, commit]));
}

/** Serializes what gives numbers to the repository's pull requests, or decides whether two are for the same branches. */
export async function lockNumbers(db: Db, repositoryId: string): Promise<void> {
  await db.selectFrom('repositories').select('id').where('id', '=', repositoryId).forNoKeyUpdate().execute();
}

export async function nextNumber(db: Db, repositoryId: string): Promise<number> {
  const row = await db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repositoryId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.number ?? 0) + 1;
}

/** Another open one for the same branches. */
export function selectSameBranches(
  db: Db,
  pullRequest: { repositoryId: string; head: string; base: string; exceptId?: string | undefined },
): Promise<{ id: string; number: number } | undefined> {
  return db
    .selectFrom('pull_requests as p')
    .select(['p.id', 'p.number'])
    .where('p.repository_id', '=', pullRequest.repositoryId)
    .where('p.head_branch', '=', pullRequest.head)
    .where('p.base_branch', '=', pullRequest.base)
    .where('p.head_repository', 'is', null)
    .where('p.state', 'in', ACTIVE_PULL_REQUEST_STATES)
    .$if(pullRequest.exceptId !== undefined, (query) => query.where('p.id', '<>', pullRequest.exceptId!))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Among the next `limit` open ones of plain git, in order of ID, those with a branch that is not where it was, and the last one, to
 * continue after. None if there are no more.
 */
export function selectMoved(db: Db, page: { after: string; limit: number }) {
  const branchNow = (name: 'p.head_branch' | 'p.base_branch') =>
    sql<string | null>`(SELECT f.commit FROM repository_refs f
      WHERE f.repository_id = p.repository_id AND f.kind = 'branch' AND f.name = ${sql.ref(name)})`;
  const moved = sql<boolean>`(head_now IS DISTINCT FROM head_commit OR base_now IS DISTINCT FROM base_commit)`;
  return (
    db
      // Looked up one by one: there are very many branches.
      .with(
        (cte) => cte('followed').materialized(),
        (query) =>
          query
            .selectFrom('pull_requests as p')
            .select(['p.id', 'p.organization_id', 'p.repository_id', 'p.head_commit', 'p.base_commit'])
            .select(['p.base_branch', 'p.head_branch'])
            .select([branchNow('p.head_branch').as('head_now'), branchNow('p.base_branch').as('base_now')])
            .where(sql<boolean>`p.origin = 'git' AND p.state IN ('open', 'draft')`)
            .where(sql<boolean>`(SELECT r.state = 'ready' FROM repositories r WHERE r.id = p.repository_id)`)
            .where('p.id', '>', page.after)
            .orderBy('p.id')
            .limit(page.limit),
      )
      .selectFrom('followed')
      .selectAll()
      .select(moved.as('moved'))
      .where(sql<boolean>`(${moved} OR id = (SELECT id FROM followed ORDER BY id DESC LIMIT 1))`)
      .orderBy('id')
      .execute()
  );
}

export type MovedRow = Awaited<ReturnType<typeof selectMoved>>[number];
