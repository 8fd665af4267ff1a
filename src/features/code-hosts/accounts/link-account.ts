/** Links an account of a code host to a member, or unlinks it; who sees private repositories, and who is in teams of the host, follows in the same transaction. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { applyReaders } from '../../repositories/index.ts';
import { readHostTeamsAgain } from '../../teams/index.ts';
import { askForHostCheck } from '../connections/host-check-store.ts';
import { selectReadBy } from './access-store.ts';
import { type AccountRow, linkAccount, unlinkAccount } from './account-link-store.ts';

/** The account is locked. Returns the repositories whose visibility may have changed. */
export async function linkAccountTo(
  db: Db,
  account: AccountRow,
  link: { userId: string; by: 'sign_in' | 'admin' },
  source: AuditSource,
): Promise<string[]> {
  if (account.is_bot) throw new Problem('conflict', `${account.login} is a bot, not a person.`);
  if (account.user_id !== null && account.user_id !== link.userId) {
    throw new Problem(
      'conflict',
      `${account.login} is already linked to ${account.user_name}. An admin can unlink it under Settings → Code hosts.`,
    );
  }
  await linkAccount(db, account.id, { ...link, at: source.at });
  await recordAudit(db, source, {
    action: 'code_host.account_linked',
    subjectId: account.id,
    subjectName: account.login,
    detail: { userId: link.userId, by: link.by },
  });
  return await applyTo(db, account, null);
}

export async function unlinkAccountOf(db: Db, account: AccountRow, source: AuditSource): Promise<string[]> {
  if (account.user_id === null) return [];
  await unlinkAccount(db, account.id);
  await recordAudit(db, source, {
    action: 'code_host.account_unlinked',
    subjectId: account.id,
    subjectName: account.login,
    detail: { userId: account.user_id },
  });
  return await applyTo(db, account, account.user_id);
}

async function applyTo(db: Db, account: AccountRow, unlinkedUserId: string | null): Promise<string[]> {
  const repositoryIds = await selectReadBy(db, account.id);
  await applyReaders(db, repositoryIds);
  await readHostTeamsAgain(db, account.code_host_id, unlinkedUserId);
  await askForHostCheck(db, account.code_host_id);
  return repositoryIds;
}
