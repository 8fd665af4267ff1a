/** Changes who watches a repository: the caller, or a team, which is on the audit log. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { hasRole } from '../../platform/core/operations/actor.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { selectRepository } from '../repositories/index.ts';
import { selectTeamNames } from '../teams/index.ts';
import type { RepositoryWatch } from './contract.ts';
import { readWatch } from './present-watch.ts';
import type { Watcher } from './watch-store.ts';

/** `change` returns whether anything changed; `paths` of null stop it. */
export function changeWatch(
  context: Context,
  {
    paths,
    repositoryId,
    teamId,
  }: { repositoryId: string; teamId?: string | undefined; paths: string[] | null },
  change: (db: Db, watcher: Watcher) => Promise<boolean>,
): Promise<z.input<typeof RepositoryWatch>> {
  const { actor, db } = context;
  return inTransaction(db, async (transaction) => {
    const repository = await selectRepository(transaction, actor, repositoryId);
    if (!repository) throw notFound('The repository');
    if (teamId === undefined) {
      await change(transaction, { userId: actor.userId, teamId: null });
      return readWatch(transaction, actor, repositoryId);
    }
    const name = (await selectTeamNames(transaction, actor.organizationId, [teamId])).get(teamId);
    if (name === undefined) throw notFound('The team');
    if (!hasRole(actor.role, 'admin'))
      throw new Problem('forbidden', 'Only admins can choose what a team watches.');
    if (await change(transaction, { userId: null, teamId }))
      await recordAudit(transaction, callerOf(context), {
        action: 'team.watching_changed',
        subjectId: teamId,
        subjectName: name,
        detail: {
          repositoryId,
          repository: repository.name,
          watching: paths !== null,
          ...(paths && { paths }),
        },
      });
    return readWatch(transaction, actor, repositoryId);
  });
}
