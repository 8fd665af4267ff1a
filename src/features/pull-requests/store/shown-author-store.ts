/**
 * Who is shown as the author of something: the member, or the member that the code host's account is linked to, or the
 * account, or the name that was stored.
 */
import { type RawBuilder, sql } from 'kysely';

export interface ShownPerson {
  /** The member; null for others. */
  id: string | null;
  name: string;
}

/** For a row with `author_user_id`, `author_account_id` and `author_name`; `alias` is its table's alias. */
export function shownAuthor(alias: string): RawBuilder<ShownPerson> {
  return shownPerson({
    user: `${alias}.author_user_id`,
    account: `${alias}.author_account_id`,
    name: `${alias}.author_name`,
  });
}

/** The same for columns of other names. */
export function shownPerson(columns: {
  user: string;
  account: string;
  name: string;
}): RawBuilder<ShownPerson> {
  const { account, name, user } = columns;
  return sql<ShownPerson>`(SELECT jsonb_build_object('id', u.id, 'name', coalesce(u.name, a.name, ${sql.ref(name)}))
    FROM (SELECT) AS one
    LEFT JOIN host_accounts a ON a.id = ${sql.ref(account)}
    LEFT JOIN users u ON u.id = coalesce(${sql.ref(user)}, a.user_id))`;
}

/** For queries that join it themselves: the member to join as `u`, where `a` is the account on the code host. */
export function authorMember(alias: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`${alias}.author_user_id`)}, a.user_id)`;
}

/** The name for the joins `u` and `a`; of a comment or discussion also `v`, the reviewer that wrote it. */
export function authorName(alias: string, { hasReviewer = false } = {}): RawBuilder<string> {
  const reviewer = hasReviewer ? sql`v.title, ` : sql``;
  return sql<string>`coalesce(${reviewer}u.name, a.name, ${sql.ref(`${alias}.author_name`)})`;
}
