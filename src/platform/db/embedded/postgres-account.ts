/**
 * Chooses the user that PostgreSQL runs as: the current one, or an unprivileged account when that is root, which PostgreSQL
 * refuses.
 */
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../../core/errors/start-failure.ts';
import type { Account } from './postgres-programs.ts';

/** The ID of the user `nobody` on every Unix. */
const NOBODY = { uid: 65534, gid: 65534 };

export function chooseAccount(clusterFolder: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new StartFailure(
      'postgres_not_starting',
      'PostgreSQL does not run as root. Start Countersign as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.',
    );
  }
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return accountNamed('postgres') ?? accountNamed('nobody') ?? NOBODY;
}

function accountNamed(name: string): Account {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return undefined; // A container image may have no such file.
  }
  const fields = text
    .split('\n')
    .map((line) => line.split(':'))
    .find((line) => line[0] === name);
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}

/** Changes the owner of a file or folder to the account; does nothing if PostgreSQL runs as the current user. */
export function giveTo(account: Account, path: string): void {
  if (!account) return;
  try {
    chownSync(path, account.uid, account.gid);
  } catch (error) {
    throw new StartFailure(
      'postgres_not_starting',
      `PostgreSQL does not run as root, and the owner of ${path} can't be changed to user ${account.uid}: ${(error as Error).message}. Start Countersign as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.`,
      error,
    );
  }
}

/** Changes the owner of a whole cluster if root owns it, as after restoring a copy. */
export function giveClusterTo(account: Account, folder: string): void {
  if (!account || statSync(folder).uid === account.uid) return;
  giveTree(account, folder);
  giveTo(account, folder);
}

/** The folder itself comes last, so that an interrupted change is repeated at the next start. */
function giveTree(account: { uid: number; gid: number }, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveTree(account, path);
    lchownSync(path, account.uid, account.gid);
  }
}
