/** Queries for who owns what pull requests change. */
import { sql } from 'kysely';
import type { Dialect, LineProblem, OwnedPaths } from '../../../engines/owners/index.ts';
import type { Db } from '../../../platform/db/index.ts';

/** At once; reading that was queued so long ago was lost. */
const MAX_CLAIMED = 5000;
const LOST_AFTER_MINUTES = 15;

/** As the partial index says it. */
const IS_DUE = sql<boolean>`state IN ('open', 'draft') AND head_commit IS NOT NULL AND base_commit IS NOT NULL
  AND (owners_head IS DISTINCT FROM head_commit OR owners_base IS DISTINCT FROM base_commit)`;

/** Marks pull requests with a new head or base that nobody else has marked, and returns their repositories. */
export async function claimUnreadOwners(db: Db): Promise<{ repositoryId: string; organizationId: string }[]> {
  const { rows } = await sql<{ repositoryId: string; organizationId: string }>`
    WITH claimed AS (UPDATE pull_requests p SET owners_queued_at = clock_timestamp()
      WHERE p.id = ANY(ARRAY(SELECT id FROM pull_requests
        WHERE ${IS_DUE} AND (owners_queued_at IS NULL
          OR owners_queued_at < clock_timestamp() - make_interval(mins => ${LOST_AFTER_MINUTES}))
        ORDER BY id LIMIT ${MAX_CLAIMED} FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING p.repository_id, p.organization_id)
    SELECT DISTINCT repository_id AS "repositoryId", organization_id AS "organizationId" FROM claimed`.execute(
    db,
  );
  return rows;
}

/** In order of their IDs. */
export function selectUnreadOwners(db: Db, repositoryId: string, page: { after: string; limit: number }) {
  return db
    .selectFrom('pull_requests')
    .select(['id', 'head_commit', 'base_commit', 'merge_base'])
    .where('repository_id', '=', repositoryId)
    .where(IS_DUE)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

export type UnreadOwners = Awaited<ReturnType<typeof selectUnreadOwners>>[number];

/** The kind of its code host; undefined for plain git. */
export async function selectHostKind(db: Db, repositoryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select('h.kind')
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
  return row?.kind;
}

export interface StoredOwners {
  /** Null: there is no file. */
  file: string | null;
  dialect: Dialect;
  owned: OwnedPaths[];
  problems: LineProblem[];
}

export async function replaceOwners(
  db: Db,
  pullRequest: { id: string; organization_id: string },
  owners: StoredOwners & { writerIds: string[] },
): Promise<void> {
  const values = {
    file: owners.file,
    dialect: owners.dialect,
    owned: JSON.stringify(owners.owned),
    problems: JSON.stringify(owners.problems),
    writer_ids: owners.writerIds,
  };
  await db
    .insertInto('pull_request_owners')
    .values({ pull_request_id: pullRequest.id, organization_id: pullRequest.organization_id, ...values })
    .onConflict((conflict) => conflict.column('pull_request_id').doUpdateSet(values))
    .execute();
}

/** Whether someone watches it: only then is a new head compared with what people watch. */
export async function isWatched(db: Db, repositoryId: string): Promise<boolean> {
  const row = await db
    .selectFrom('watches')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** With the pair of commits that the pull request has and the pair that was read. */
export function selectStoredOwners(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_requests as p')
    .innerJoin('repositories as r', 'r.id', 'p.repository_id')
    .leftJoin('pull_request_owners as o', 'o.pull_request_id', 'p.id')
    .select(['p.organization_id', 'p.repository_id', 'r.name as repository_name', 'r.code_host_id'])
    .select(['o.file', 'o.dialect', 'o.owned', 'o.problems'])
    .select(
      sql<boolean>`coalesce(o.pull_request_id IS NOT NULL AND p.owners_head = p.head_commit
        AND p.owners_base = p.base_commit, false)`.as('is_current'),
    )
    .where('p.id', '=', pullRequestId)
    .executeTakeFirst();
}

/** Members with these logins on the code host, by the login in lower case. */
export async function selectMembersByLogin(
  db: Db,
  codeHostId: string,
  logins: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ login: string; user_id: string }>`
    SELECT lower(login) AS login, user_id FROM host_accounts
    WHERE code_host_id = ${codeHostId} AND user_id IS NOT NULL AND NOT is_bot
      AND lower(login) = ANY(${logins.map((login) => login.toLowerCase())}::text[])`.execute(db);
  return new Map(rows.map(({ login, user_id }) => [login, user_id]));
}
