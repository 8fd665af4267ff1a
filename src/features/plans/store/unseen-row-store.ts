/** Whether a row of a plan names a repository that a reader can't see. */
import { sql } from 'kysely';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { isUnseenBy, type Reader } from '../../repositories/index.ts';

/** For the table of repositories (`v`) and of linked pull requests (`l`). */
export function isUnseen(reader: Reader, table: 'v' | 'l') {
  if (hasRole(reader.role, 'admin')) return sql<boolean>`false`;
  const [id, wasPrivate] = [sql.ref(`${table}.repository_id`), sql.ref(`${table}.was_private`)];
  return sql<boolean>`(${wasPrivate} OR ${isUnseenBy(reader, id)})`;
}
