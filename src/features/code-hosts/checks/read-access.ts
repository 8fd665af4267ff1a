/** Reads who can read the repositories of a host, and shows them to the members whose linked accounts are among those. */
import { type HostError, isHostError } from '../../../engines/code-hosts/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { applyReaders } from '../../repositories/index.ts';
import { writeAccessProblem, writeReaders } from '../accounts/access-store.ts';
import { rememberAccounts } from '../accounts/host-account-store.ts';
import { selectAccessDue } from '../connections/host-check-store.ts';
import type { HostCheck } from './host-check.ts';

const BATCH = 100;

/** Whether there are more to read. */
export async function readAccess(check: HostCheck): Promise<boolean> {
  const due = await selectAccessDue(check.db, check.row.id, BATCH);
  for (const repository of due) {
    check.signal.throwIfAborted();
    await readOne(check, repository);
  }
  return due.length === BATCH;
}

type Due = Awaited<ReturnType<typeof selectAccessDue>>[number];

async function readOne(check: HostCheck, due: Due): Promise<void> {
  const { announce, db, row } = check;
  const { organization_id: organizationId, repository_id: id } = due;
  const read = await readReaders(check, due.full_name);
  await inTransaction(db, async (transaction) => {
    if (read.kind === 'unknown') return writeAccessProblem(transaction, id, read.problem);
    const { accounts, isPrivate, problem } = read;
    await rememberAccounts(transaction, { id: row.id, organizationId }, accounts);
    const written = await writeReaders(
      transaction,
      { id, codeHostId: row.id, organizationId },
      {
        isPrivate,
        problem,
        hostAccountIds: accounts.map((one) => one.id),
        // By our clock when the host was asked: a webhook that arrives while it answers leads to another read.
        askedAt: due.asked_at,
      },
    );
    if (written) await applyReaders(transaction, [id]);
  });
  announce(id);
}

async function readReaders({ host }: HostCheck, fullName: string) {
  try {
    const { private: isPrivate } = await host.repository(fullName);
    if (!isPrivate) return { kind: 'known' as const, isPrivate, accounts: [], problem: null };
    const { accounts, truncated } = await host.readers(fullName);
    const problem = truncated ? 'More accounts can read it than the service reads.' : null;
    return { kind: 'known' as const, isPrivate, accounts, problem };
  } catch (error) {
    // It was deleted, or taken from us: it is hidden from everyone but admins.
    if (isHostError(error, 'not_found')) {
      const problem = "The host no longer has it, or the credential can't read it anymore.";
      return { kind: 'known' as const, isPrivate: true, accounts: [], problem };
    }
    if (isHostError(error, 'forbidden', 'unsupported', 'invalid', 'unexpected_reply'))
      return { kind: 'unknown' as const, problem: describe(error) };
    throw error;
  }
}

function describe(error: HostError): string {
  if (error.code === 'forbidden') return 'The credential may not list who can read it.';
  return error.message;
}
