/** The checks of the machine and of what the whole installation shares. Each looks at one thing. */
import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { checkMailServer } from '../../engines/mail/index.ts';
import { tryFolder } from '../../platform/backup/index.ts';
import { MIN_FREE_BYTES } from '../../platform/core/errors/disk-full.ts';
import { checkedFetch } from '../../platform/core/network/checked-fetch.ts';
import { formatSize } from '../../platform/core/text/format-size.ts';
import { packageVersion } from '../../platform/core/text/package-version.ts';
import { verifySecretFile } from '../../platform/secrets/index.ts';
import {
  ANSWER_WITHIN_MS,
  bad,
  type CheckedHost,
  type CheckResult,
  good,
  type HostCheck,
  NO_DATABASE,
  skipped,
} from './host-check.ts';
import { checkNetwork } from './network-check.ts';
import {
  checkCodeHosts,
  checkHostWebhooks,
  checkModel,
  checkSingleSignOn,
  checkWebhooks,
} from './organization-checks.ts';
import { oldGitProblem, type PROGRAMS, programVersion } from './program-version.ts';
import { selectDatabaseState, selectLatestBackup, selectNodes, selectQueues } from './system-store.ts';

const MEBIBYTE = 1024 * 1024;
const LOW_DISK_BYTES = 1024 * MEBIBYTE;
const MAX_CLOCK_SKEW_SECONDS = 5;
const MAX_QUEUE_WAIT_SECONDS = 300;
const HOUR_MS = 60 * 60 * 1000;
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'platform', 'db', 'migrations');

export const hostChecks: readonly HostCheck[] = [
  {
    name: 'Countersign',
    run: async () => good(`version ${packageVersion()} on Node.js ${process.versions.node}`),
  },
  // First, because a full disk causes most of the other problems.
  { name: 'Disk', run: checkDisk },
  { name: 'Database', run: checkDatabase },
  { name: 'Clock', run: checkClock },
  { name: 'Data folder', run: checkFolder },
  { name: 'Secret file', run: checkSecret },
  checkProgram('git', 'Install git: repositories can’t be cloned without it.'),
  checkProgram('ssh', 'Install an OpenSSH client if repositories are fetched over SSH.'),
  checkProgram('ripgrep', 'Reinstall the package: code can’t be searched without it.'),
  { name: 'Network', run: checkNetwork },
  { name: 'Address', run: checkAddress },
  { name: 'Queue', run: checkQueue },
  { name: 'Code hosts', run: checkCodeHosts },
  { name: 'Webhooks of code hosts', run: checkHostWebhooks },
  { name: 'Webhooks', run: checkWebhooks },
  { name: 'Single sign-on', run: checkSingleSignOn },
  { name: 'Model', run: checkModel },
  { name: 'Mail', run: checkMail },
  { name: 'Backup folder', run: checkBackupFolder },
  { name: 'Backup', run: checkBackup },
];

/** A check that throws is reported as a problem. */
export function runCheck(check: HostCheck, host: CheckedHost): Promise<CheckResult> {
  return check.run(host).catch((error: unknown) => bad((error as Error).message));
}

async function checkDatabase({ db, noDatabase, settings }: CheckedHost): Promise<CheckResult> {
  if (!db)
    return bad(
      `cannot be reached${noDatabase === undefined ? '' : `: ${noDatabase}`}`,
      'Start the service, or check DATABASE_URL and DATA_DIR.',
    );
  const { bytes, migrations, version } = await selectDatabaseState(db);
  const known = (await readdir(MIGRATIONS)).length;
  const kind = settings.databaseUrl ? 'PostgreSQL' : 'embedded PostgreSQL';
  const detail = `${kind} ${version}, ${formatSize(bytes)}`;
  if (migrations === known) return good(detail);
  return bad(
    `${detail}, with ${migrations} of ${known} migrations`,
    'Start this version of the service: it migrates the database.',
  );
}

async function checkClock({ db }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const before = Date.now();
  const { now } = await selectDatabaseState(db);
  const skew = Math.abs(now.getTime() - (before + Date.now()) / 2) / 1000;
  if (skew <= MAX_CLOCK_SKEW_SECONDS) return good('agrees with the database');
  return bad(
    `differs from the database by ${Math.round(skew)} s`,
    'Synchronize the clocks of both machines (NTP).',
  );
}

async function checkFolder({ settings: { dataDir } }: CheckedHost): Promise<CheckResult> {
  const { mode } = await stat(dataDir);
  await access(dataDir, constants.W_OK);
  if ((mode & 0o077) === 0) return good(dataDir);
  return bad(`${dataDir} can be read by other users`, `chmod 700 ${dataDir}`);
}

async function checkDisk({ settings }: CheckedHost): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(settings.dataDir);
  const free = bavail * bsize;
  const detail = `${formatSize(free)} free in ${settings.dataDir}`;
  if (free > LOW_DISK_BYTES) return good(detail);
  return free < MIN_FREE_BYTES
    ? bad(`full: ${detail}`, 'Free some space: until then, nothing can be written.')
    : bad(detail, 'Free some space: writes fail when the disk is full.');
}

async function checkSecret({ db, settings: { secretFile } }: CheckedHost): Promise<CheckResult> {
  const found = await stat(secretFile).catch(() => undefined);
  if (!found) return bad(`${secretFile} is missing`, 'Copy it from another node or from a backup.');
  if (db) {
    const problem = await verifySecretFile({ db, file: secretFile }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (problem !== undefined) return bad(problem, 'The service does not start with it.');
  }
  if ((found.mode & 0o077) === 0) return good('only its owner can read it');
  // Kubernetes mounts a secret for the group of the pod.
  if ((found.mode & 0o037) === 0) return good('only its owner and its group can read it');
  return bad('can be read by other users', `chmod 600 ${secretFile}`);
}

function checkProgram(name: keyof typeof PROGRAMS, next: string): HostCheck {
  return {
    name,
    async run({ searchPath }) {
      const version = await programVersion(name, searchPath);
      if (version === undefined) return bad('not found', next);
      const old = name === 'git' ? oldGitProblem(version) : undefined;
      return old ? bad(old.detail, old.next) : good(version);
    },
  };
}

/** The way people and code hosts reach it, through any proxy. */
async function checkAddress({ baseUrl }: CheckedHost): Promise<CheckResult> {
  if (new URL(baseUrl).port === '0')
    return skipped('PORT is 0 and no service runs on this data folder, so its address is unknown');
  const next = 'Check BASE_URL, the proxy in front of the service, and that the service is running.';
  try {
    const limits = { allowPrivateAddresses: true, maxBytes: MEBIBYTE, timeoutMs: ANSWER_WITHIN_MS };
    const response = await checkedFetch(`${baseUrl}/healthz`, {}, limits);
    return response.ok ? good(baseUrl) : bad(`${baseUrl} responds with ${response.status}`, next);
  } catch (error) {
    return bad(`${baseUrl} doesn’t respond: ${(error as Error).message}`, next);
  }
}

async function checkQueue({ db }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const queues = await selectQueues(db);
  const late = queues.filter(({ waitedSeconds }) => waitedSeconds > MAX_QUEUE_WAIT_SECONDS);
  const failing = queues.filter((queue) => queue.failing > 0);
  if (late.length > 0)
    return bad(
      `jobs are waiting: ${late.map(({ name, waitedSeconds }) => `${name} for ${Math.round(waitedSeconds / 60)} min`).join(', ')}`,
      'Check that a process with the role worker is running, and its log.',
    );
  if (failing.length > 0)
    return bad(
      `jobs keep failing: ${failing.map((queue) => `${queue.name} (${queue.failing})`).join(', ')}`,
      'See Settings → System for the errors and to run them again, or look for the name of the job in the log.',
    );
  const nodes = await selectNodes(db);
  if (nodes.length > 0 && !nodes.some(({ roles }) => roles.includes('worker')))
    return bad(
      'no running process has the role worker',
      'Start one with ROLES=worker: otherwise nothing is fetched, indexed, reviewed or sent.',
    );
  return good('no job is overdue or keeps failing');
}

async function checkMail({ settings }: CheckedHost): Promise<CheckResult> {
  if (!settings.mail) return skipped('SMTP_URL is not set: no mail is sent');
  const problem = await checkMailServer(settings.mail);
  return problem === undefined
    ? good('the mail server accepts the credentials')
    : bad(problem, 'Check SMTP_URL.');
}

async function checkBackupFolder({ settings }: CheckedHost): Promise<CheckResult> {
  const { dataDir, scheduledBackups } = settings;
  if (!scheduledBackups) return skipped('BACKUP_DIR is not set');
  const { folder } = scheduledBackups;
  const problem = await tryFolder(folder).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (problem !== undefined)
    return bad(
      `${userName()} can’t write to ${folder}: ${problem}`,
      'Give this user write access, free space on its disk, or change BACKUP_DIR. Under systemd, it needs ReadWritePaths=.',
    );
  const owner = (await stat(dataDir)).uid;
  // Root can write almost anywhere, so this says nothing about the service.
  if (process.getuid?.() === 0 && owner !== 0)
    return skipped(`${folder} was checked as root; run this as user ${owner}, who owns ${dataDir}`);
  return good(`${folder} can be written`);
}

/** A container's user may have no name. */
function userName(): string {
  try {
    const { uid, username } = userInfo();
    return `user ${username} (${uid})`;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

async function checkBackup({ db, settings }: CheckedHost): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const latest = await selectLatestBackup(db);
  if (latest?.problem) return bad(`the last one failed: ${latest.problem}`, 'Check BACKUP_DIR and its disk.');
  if (!settings.scheduledBackups)
    return skipped('none is scheduled. Set BACKUP_DIR, or run countersign backup regularly');
  if (!latest?.finished_at) return skipped('none was made yet');
  const age = Date.now() - latest.finished_at.getTime();
  const detail = `${Math.floor(age / HOUR_MS)} hours old: ${latest.file}`;
  return age < 2 * settings.scheduledBackups.everyMs
    ? good(detail)
    : bad(detail, 'Check that a worker is running.');
}
