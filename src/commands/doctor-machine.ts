/** The checks of `countersign doctor` on the host of the service: each looks at one thing and says what to do about it. */
import { execFile } from 'node:child_process';
import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { checkMailServer } from '../features/mail/index.ts';
import {
  selectDatabaseState,
  selectFailingHosts,
  selectLatestBackup,
  selectQueues,
} from '../features/system/index.ts';
import { checkedFetch } from '../platform/core/checked-fetch.ts';
import { packageVersion } from '../platform/core/package-version.ts';
import type { Db } from '../platform/db/index.ts';
import type { Call } from './command.ts';
import type { CheckResult } from './doctor-checks.ts';

interface MachineCheck {
  name: string;
  run(call: Call, db: Db | undefined): Promise<CheckResult>;
}

const MEBIBYTE = 1024 * 1024;
const LOW_DISK_BYTES = 1024 * MEBIBYTE;
const MAX_CLOCK_SKEW_SECONDS = 5;
const MAX_QUEUE_WAIT_SECONDS = 300;
const ANSWER_WITHIN_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;
const MIGRATIONS = join(import.meta.dirname, '..', 'platform', 'db', 'migrations');

const good = (detail: string): CheckResult => ({ state: 'good', detail });
const bad = (detail: string, next?: string): CheckResult => ({ state: 'bad', detail, next });
const skipped = (detail: string): CheckResult => ({ state: 'skipped', detail });
const NO_DATABASE = skipped('needs the database');

export const machineChecks: readonly MachineCheck[] = [
  {
    name: 'Countersign',
    run: async () => good(`version ${packageVersion()} on Node.js ${process.versions.node}`),
  },
  { name: 'Database', run: checkDatabase },
  { name: 'Clock', run: checkClock },
  { name: 'Data folder', run: checkFolder },
  { name: 'Disk', run: checkDisk },
  { name: 'Secret file', run: checkSecret },
  {
    name: 'git',
    run: (call) =>
      checkProgram(call, 'git', ['--version'], 'Install git: repositories can’t be cloned without it.'),
  },
  {
    name: 'ssh',
    run: (call) =>
      checkProgram(call, 'ssh', ['-V'], 'Install an OpenSSH client if repositories are fetched over SSH.'),
  },
  { name: 'Network', run: checkNetwork },
  { name: 'Address', run: checkAddress },
  { name: 'Queue', run: checkQueue },
  { name: 'Code hosts', run: checkHosts },
  { name: 'Mail', run: checkMail },
  { name: 'Backup', run: checkBackup },
];

async function checkDatabase({ config }: Call, db: Db | undefined): Promise<CheckResult> {
  if (!db) return bad('cannot be reached', 'Start the service, or check DATABASE_URL and DATA_DIR.');
  const { bytes, migrations, version } = await selectDatabaseState(db);
  const known = (await readdir(MIGRATIONS)).length;
  const kind = config.databaseUrl ? 'PostgreSQL' : 'embedded PostgreSQL';
  const detail = `${kind} ${version}, ${Math.ceil(bytes / MEBIBYTE)} MiB`;
  if (migrations === known) return good(detail);
  return bad(
    `${detail}, with ${migrations} of ${known} migrations`,
    'Start this version of the service: it migrates the database.',
  );
}

async function checkClock(_call: Call, db: Db | undefined): Promise<CheckResult> {
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

async function checkFolder({ config }: Call): Promise<CheckResult> {
  const { mode } = await stat(config.dataDir);
  await access(config.dataDir, constants.W_OK);
  if ((mode & 0o077) === 0) return good(config.dataDir);
  return bad(`${config.dataDir} can be read by other users`, `chmod 700 ${config.dataDir}`);
}

async function checkDisk({ config }: Call): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const detail = `${Math.floor(free / MEBIBYTE).toLocaleString('en-US')} MiB free`;
  return free > LOW_DISK_BYTES
    ? good(detail)
    : bad(detail, 'Free some space: writes fail when the disk is full.');
}

async function checkSecret({ config }: Call): Promise<CheckResult> {
  const found = await stat(config.secretFile).catch(() => undefined);
  if (!found) return bad(`${config.secretFile} is missing`, 'Copy it from another node or from a backup.');
  if ((found.mode & 0o077) === 0) return good('only its owner can read it');
  return bad('can be read by other users', `chmod 600 ${config.secretFile}`);
}

function checkProgram(call: Call, program: string, words: string[], next: string): Promise<CheckResult> {
  const env = { PATH: call.environment.PATH };
  return new Promise((done) => {
    execFile(program, words, { env, timeout: ANSWER_WITHIN_MS }, (error, stdout, stderr) => {
      const said = (stdout || stderr).trim().split('\n', 1)[0]!;
      done(error ? bad('was not found', next) : good(said));
    });
  });
}

/** How other servers are reached. Never shows the user name and password of a proxy. */
async function checkNetwork({ config }: Call): Promise<CheckResult> {
  const { authorities, proxies } = config.network;
  const trusted = authorities
    ? `certificate authorities from ${authorities.file} (${authorities.certificates.length})`
    : 'no private certificate authority (NODE_EXTRA_CA_CERTS)';
  const inUse = [...new Set([proxies.https, proxies.http].filter((proxy) => proxy !== undefined))];
  const unreachable = [];
  for (const proxy of inUse) if (!(await answers(proxy))) unreachable.push(proxy.host);
  if (unreachable.length > 0)
    return bad(
      `the proxy ${unreachable.join(' and ')} can’t be reached; ${trusted}`,
      'Check HTTPS_PROXY and HTTP_PROXY, and that this machine may connect to it.',
    );
  const direct = 'other servers are reached directly (HTTPS_PROXY is not set)';
  const through = `through the proxy ${[...new Set(inUse.map(({ host }) => host))].join(' and ')}`;
  return good(`${inUse.length === 0 ? direct : through}; ${trusted}`);
}

/** Whether something accepts connections there. */
function answers(proxy: URL): Promise<boolean> {
  const port = Number(proxy.port) || (proxy.protocol === 'https:' ? 443 : 80);
  const socket = connect({
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    timeout: ANSWER_WITHIN_MS,
  });
  return new Promise<boolean>((done) => {
    socket
      .once('connect', () => done(true))
      .once('error', () => done(false))
      .once('timeout', () => done(false));
  }).finally(() => socket.destroy());
}

/** As people and code hosts reach it, through any proxy. */
async function checkAddress({ config }: Call): Promise<CheckResult> {
  const next = 'Check BASE_URL, the proxy in front of the service, and that the service runs.';
  try {
    const limits = { allowPrivateAddresses: true, maxBytes: MEBIBYTE, timeoutMs: ANSWER_WITHIN_MS };
    const response = await checkedFetch(`${config.baseUrl}/healthz`, {}, limits);
    return response.ok
      ? good(config.baseUrl)
      : bad(`${config.baseUrl} answers with ${response.status}`, next);
  } catch (error) {
    return bad(`${config.baseUrl} does not answer: ${(error as Error).message}`, next);
  }
}

async function checkQueue(_call: Call, db: Db | undefined): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const queues = await selectQueues(db);
  const late = queues.filter(({ waitedSeconds }) => waitedSeconds > MAX_QUEUE_WAIT_SECONDS);
  const failed = queues.filter((queue) => queue.failed > 0);
  if (late.length > 0)
    return bad(
      `jobs wait: ${late.map(({ name, waitedSeconds }) => `${name} for ${Math.round(waitedSeconds / 60)} min`).join(', ')}`,
      'Check that a process with the role worker runs, and its log.',
    );
  if (failed.length > 0)
    return bad(
      `jobs failed: ${failed.map((queue) => `${queue.name} (${queue.failed})`).join(', ')}`,
      'Look for the name of the job in the log.',
    );
  return good('no job waits or failed');
}

async function checkHosts(_call: Call, db: Db | undefined): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const failing = await selectFailingHosts(db);
  if (failing.length === 0) return good('all connections work');
  return bad(
    failing.map(({ problem, state, url }) => `${url}: ${problem ?? state}`).join('; '),
    'See Settings → Code hosts.',
  );
}

async function checkMail({ config }: Call): Promise<CheckResult> {
  if (!config.mail) return skipped('SMTP_URL is not set: no mail is sent');
  const problem = await checkMailServer(config.mail);
  return problem === undefined ? good('the mail server takes our sign-in') : bad(problem, 'Check SMTP_URL.');
}

async function checkBackup({ config }: Call, db: Db | undefined): Promise<CheckResult> {
  if (!db) return NO_DATABASE;
  const latest = await selectLatestBackup(db);
  if (latest?.problem) return bad(`the last one failed: ${latest.problem}`, 'See BACKUP_DIR, and its disk.');
  if (!config.scheduledBackups)
    return skipped('none is scheduled. Set BACKUP_DIR, or run countersign backup regularly');
  if (!latest?.finished_at) return skipped('none was made yet');
  const age = Date.now() - latest.finished_at.getTime();
  const detail = `${Math.floor(age / HOUR_MS)} hours old: ${latest.file}`;
  return age < 2 * config.scheduledBackups.everyMs ? good(detail) : bad(detail, 'Check that a worker runs.');
}
