/** The cluster folder of the embedded PostgreSQL and its password: created at the first start, checked at later ones. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import { freeBytes, noRoom } from './data-folder-failure.ts';
import { giveClusterTo, giveTo } from './postgres-account.ts';
import { type Account, packageMajor, programFile, runProgram } from './postgres-programs.ts';

export const POSTGRES_USER = 'countersign';

export const clusterFolder = (dir: string) => join(dir, 'postgres');
/** Whether a service was ever started or set up on this data folder. */
export const hasEmbeddedDatabase = (dir: string) => existsSync(clusterFolder(dir));
/** Created here and then renamed, so that a crash leaves nothing that looks like a cluster. */
export const newClusterFolder = (dir: string) => join(dir, 'postgres.new');
export const passwordFile = (dir: string) => join(dir, 'database-password');

/**
 * The argument that tells the programs where the cluster is. On Linux they are started inside it, because the current
 * folder can be used even if the account has no access to the folders above it.
 */
export const folderArgument = (folder: string) => (process.platform === 'linux' ? '/proc/self/cwd' : folder);

export type Cluster = { folder: string; password: string; isNew: boolean };

export async function prepareCluster(options: {
  dir: string;
  packageFolder: string;
  runtimeFolder: string;
  account: Account;
  durable: boolean;
  log: Log;
}): Promise<Cluster> {
  const { dir, account } = options;
  const folder = clusterFolder(dir);
  if (hasCluster(folder, packageMajor(options.packageFolder))) {
    chmodSync(folder, 0o700);
    giveClusterTo(account, folder);
    return { folder, password: existingPassword(dir), isNew: false };
  }
  const password = existingPassword(dir, () => randomBytes(24).toString('base64url'));
  await initialize({ ...options, password });
  renameSync(newClusterFolder(dir), folder);
  syncFolder(dir);
  return { folder, password, isNew: true };
}

/** False if there is none yet; throws if these programs can't open it. */
function hasCluster(folder: string, major: string): boolean {
  if (!statSync(folder, { throwIfNoEntry: false }) || readdirSync(folder).length === 0) return false;
  const found = readText(join(folder, 'PG_VERSION'));
  if (found === major) return true;
  if (found !== undefined && /^\d+(\.\d+)?$/.test(found)) {
    throw new StartFailure(
      'postgres_not_starting',
      `The data in ${folder} was written by PostgreSQL ${found}, but this version of Countersign includes PostgreSQL ${major}. Start the version that wrote it, back up the data there, and restore it into an empty data folder.`,
    );
  }
  throw new StartFailure(
    'postgres_not_starting',
    `The folder ${folder} is not a usable PostgreSQL cluster (its PG_VERSION file is ${found === undefined ? 'missing' : 'damaged'}). Restore the data folder from a backup, or move this folder away to start empty.`,
  );
}

function existingPassword(dir: string, create?: () => string): string {
  const found = readText(passwordFile(dir));
  if (found) return found;
  if (!create) {
    throw new StartFailure(
      'postgres_not_starting',
      `The password of the embedded PostgreSQL is missing: ${passwordFile(dir)} is gone or empty. Restore that file from a backup of the data folder.`,
    );
  }
  const password = create();
  const next = `${passwordFile(dir)}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, `${password}\n`, { mode: 0o600, flush: true });
  renameSync(next, passwordFile(dir));
  return password;
}

async function initialize(options: {
  dir: string;
  packageFolder: string;
  runtimeFolder: string;
  account: Account;
  durable: boolean;
  password: string;
  log: Log;
}): Promise<void> {
  const { dir, account, log } = options;
  const folder = newClusterFolder(dir);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  giveTo(account, folder);

  // initdb reads the password as the account, so it gets a temporary copy.
  const passwordCopy = join(options.runtimeFolder, 'password');
  writeFileSync(passwordCopy, options.password, { mode: 0o600, flag: 'wx' });
  giveTo(account, passwordCopy);
  log.info('Creating the database; this happens once');
  const args = ['-D', folderArgument(folder), '-U', POSTGRES_USER, '--encoding=UTF8', '--locale=C'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  args.push('--auth=scram-sha-256', `--pwfile=${passwordCopy}`, '--no-instructions');
  if (!options.durable) args.push('--no-sync');
  try {
    const file = programFile(options.packageFolder, 'initdb');
    const { ok, output } = await runProgram(file, args, { account, cwd: folder });
    if (!ok) throw programFailure(dir, 'PostgreSQL cannot create its database.', output);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordCopy, { force: true });
  }
}

/** With less free space than this, PostgreSQL can't add a log segment, and may not be able to log its own message. */
const SCANT_BYTES = 32 * 1024 * 1024;

/** Explains a failed initdb or server: no space, or whatever its last lines say. */
export function programFailure(dir: string, what: string, output: string): StartFailure {
  const lines = output.trim().split('\n').slice(-12).join('\n');
  const said = lines ? `It said:\n${lines}\n` : 'It said nothing.';
  const scant = (freeBytes(dir) ?? Number.POSITIVE_INFINITY) < SCANT_BYTES;
  if (scant || /No space left on device|Disk quota exceeded/i.test(output))
    return noRoom(dir, `${what} ${said}`);
  return new StartFailure(
    'postgres_not_starting',
    `${what} ${said}Fix this, or set DATABASE_URL to your own PostgreSQL server.`,
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a rename survive a power failure; Windows has no such call for folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
