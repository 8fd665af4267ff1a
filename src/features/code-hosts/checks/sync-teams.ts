/** Keeps teams in step with teams and groups of a code host, through the accounts that are linked to members. */
import { type HostError, isHostError } from '../../../engines/code-hosts/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fillHostTeam, selectHostTeamsDue, writeHostTeamProblem } from '../../teams/index.ts';
import { rememberAccounts } from '../accounts/host-account-store.ts';
import type { HostCheck } from './host-check.ts';

const BATCH = 100;
/** Logins that are shown. */
const MAX_UNLINKED = 100;

/** Whether there are more to read. */
export async function syncTeams({ db, host, row, signal }: HostCheck): Promise<boolean> {
  const due = await selectHostTeamsDue(db, row.id, BATCH);
  for (const { asked_at: askedAt, host_team: path, id, organization_id: organizationId } of due) {
    signal.throwIfAborted();
    try {
      const { accounts, truncated } = await host.teamMembers(path);
      const people = accounts.filter(({ bot }) => !bot);
      await inTransaction(db, async (transaction) => {
        const known = await rememberAccounts(transaction, { id: row.id, organizationId }, people);
        const linked = people.map((account) => ({ ...account, userId: known.get(account.id)!.userId }));
        await fillHostTeam(
          transaction,
          { id, path, askedAt },
          {
            userIds: linked.flatMap(({ userId }) => userId ?? []),
            unlinked: linked
              .flatMap(({ login, userId }) => (userId === null ? login : []))
              .slice(0, MAX_UNLINKED),
          },
        );
        const problem = 'The team has more members than the service reads.';
        if (truncated)
          await writeHostTeamProblem(transaction, { id, askedAt, path }, { problem, isGone: false });
      });
    } catch (error) {
      if (!isHostError(error, 'not_found', 'forbidden', 'unsupported', 'invalid', 'unexpected_reply'))
        throw error;
      const isGone = isHostError(error, 'not_found');
      await writeHostTeamProblem(
        db,
        { id, askedAt, path },
        { problem: describe(error as HostError), isGone },
      );
    }
  }
  return due.length === BATCH;
}

function describe({ code, message }: HostError): string {
  if (code === 'not_found') return 'The host has no such team or group, or the credential can’t see it.';
  if (code === 'forbidden') return 'The credential may not list its members.';
  return message;
}
