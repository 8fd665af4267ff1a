/** The code host with this ID, if it is of the caller's organization. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type CodeHostRow, selectCodeHost } from './code-host-store.ts';

export async function findCodeHost(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  codeHostId: string,
): Promise<CodeHostRow> {
  const row = await selectCodeHost(db, actor.organizationId, codeHostId);
  if (!row) throw notFound('The code host');
  return row;
}
