/** Queries for asking the origin about refs that nobody recorded yet. All times are PostgreSQL's, as text: a `Date` has no microseconds. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** How often the origin of a repository is asked at most, by all nodes together. */
export const ASK_EVERY_SECONDS = 5;

const interval = sql`make_interval(secs => ${sql.lit(ASK_EVERY_SECONDS)})`;

/** Undefined when the origin was asked a moment ago, or there is none. */
export function takeAsk(db: Db, repositoryId: string): Promise<{ url: string; asOf: string } | undefined> {
  return db
    .updateTable('repositories')
    .set({ origin_asked_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', repositoryId)
    .where('url', 'is not', null)
    .where('state', '=', 'ready')
    .where(sql<boolean>`(origin_asked_at IS NULL OR origin_asked_at <= clock_timestamp() - ${interval})`)
    .returning([sql<string>`url`.as('url'), sql<string>`origin_asked_at::text`.as('asOf')])
    .executeTakeFirst();
}

/** Whether what the origin last answered is recorded, and when it may be asked again. */
export function selectAsk(
  db: Db,
  repositoryId: string,
): Promise<{ isAnswered: boolean; waitMs: number } | undefined> {
  return db
    .selectFrom('repositories')
    .select([
      sql<boolean>`coalesce(refs_as_of >= origin_asked_at, origin_asked_at IS NULL)`.as('isAnswered'),
      sql<number>`coalesce(greatest(0, extract(epoch FROM origin_asked_at + ${interval} - clock_timestamp()) * 1000), 0)::float8`.as(
        'waitMs',
      ),
    ])
    .where('id', '=', repositoryId)
    .executeTakeFirst();
}

/** Locks the repository until the transaction ends; undefined when newer refs are recorded, or it has another URL now. */
export function lockAsked(db: Db, repositoryId: string, { asOf, url }: { url: string; asOf: string }) {
  return db
    .selectFrom('repositories')
    .select(['id', 'organization_id', 'name', 'refs_digest'])
    .where('id', '=', repositoryId)
    .where('url', '=', url)
    .where('state', '=', 'ready')
    .where(sql<boolean>`(refs_as_of IS NULL OR refs_as_of <= ${asOf}::timestamptz)`)
    .forUpdate()
    .executeTakeFirst();
}
