/** `countersign doctor` on the service's machine: each line says what was found, and what to do about a problem. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { makeAuthority } from '../../../test/helpers/servers/certificates.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { configureOutgoingNetwork } from '../../platform/core/network/outgoing-network.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { nameNode } from '../../platform/live/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';

const ROOT = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'countersign-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const service = await startTestService();
const database = await createTestDatabase();
writeFileSync(join(folder, 'secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
const run = (env: Record<string, string> = {}) =>
  runInProcess(['doctor'], {
    env: {
      DATA_DIR: folder,
      DATABASE_URL: urlOf(database),
      BASE_URL: service.url,
      PATH: process.env.PATH!,
      SECRET_FILE: join(folder, 'secret.key'),
      ...env,
    },
  });

it('passes on a healthy host, and names what is not set up', async () => {
  const { code, stdout } = await run();
  expect([code, stdout.split('\n').filter((line) => line.startsWith('✗'))]).toEqual([0, []]);
  expect(stdout).toMatch(/✓ Database: PostgreSQL \d+.*, [\d.]+ MB/);
  expect(stdout).toMatch(/✓ git: git version /);
  expect(stdout).toContain('✓ Network: other servers are reached directly');
  expect(stdout).toContain('- Code hosts: none is connected');
  expect(stdout).toContain('- Mail: SMTP_URL is not set');
  expect(stdout).toContain('- Backup: none is scheduled');
  expect(stdout).toContain('All checks passed.');
});

it('says what is wrong and what to do, and makes the other checks too', async () => {
  chmodSync(join(folder, 'secret.key'), 0o644);
  const { code, stderr, stdout } = await run({
    BASE_URL: 'http://127.0.0.1:2',
    PATH: folder,
    SMTP_URL: 'smtp://127.0.0.1:2',
    MAIL_FROM: 'a@acme.example',
    HTTPS_PROXY: 'http://robot:hidden@127.0.0.1:2',
  });
  chmodSync(join(folder, 'secret.key'), 0o600);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/checks failed/)]);
  expect(stdout).toMatch(/✗ Address: http:\/\/127.0.0.1:2 doesn’t respond.*\n +Check BASE_URL/);
  expect(stdout).toMatch(/✗ Secret file: can be read by other users\n +chmod 600/);
  expect(stdout).toMatch(/✗ git: not found\n +Install git/);
  expect(stdout).toMatch(/✗ Network: the proxy 127.0.0.1:2 can’t be reached; .*\n +Check HTTPS_PROXY/);
  expect(stdout).not.toContain('hidden');
  expect(stdout).toMatch(/✗ Mail: .*\n +Check SMTP_URL/);
  expect(stdout).toContain('✓ Database');
});

it('says when git is too old', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.38.5', { mode: 0o755 });
  const { stdout } = await run({ PATH: `${bin}:${process.env.PATH}` });
  expect(stdout).toMatch(/✗ git: git version 2.38.5 is too old\n +Install git 2.39 or newer/);
});

it('writes to BACKUP_DIR as a backup would, names the user who can’t, and leaves nothing behind', async () => {
  const runWith = async (backups: string) => (await run({ BACKUP_DIR: backups })).stdout;
  const { uid, username } = userInfo();
  const backups = join(folder, 'new', 'backups');
  expect(await runWith(backups)).toContain(`✓ Backup folder: ${backups} can be written`);
  expect(existsSync(join(folder, 'new'))).toBe(false);
  mkdirSync(backups, { recursive: true });
  expect(await runWith(backups)).toContain('✓ Backup folder');
  expect(readdirSync(backups)).toEqual([]);

  // Not even root can write there.
  for (const [place, reason] of [
    ['/proc/countersign', 'ENOENT'],
    [join(folder, 'secret.key'), 'ENOTDIR'],
  ])
    expect(await runWith(place!)).toMatch(
      new RegExp(
        `✗ Backup folder: user ${username} \\(${uid}\\) can’t write to ${place}: ${reason}.*\\n +Give this user`,
      ),
    );
});

it.runIf(ROOT)('says that a check as root means nothing for the user of the service', async () => {
  chownSync(folder, 10_001, 10_001);
  const { stdout } = await run({ BACKUP_DIR: join(folder, 'new') });
  chownSync(folder, 0, 0);
  expect(stdout).toMatch(/- Backup folder: .* was checked as root; run this as user 10001/);
});

it('finds out that no process is a worker', async () => {
  const listen = async (...roles: string[]) => {
    const client = new pg.Client({ connectionString: urlOf(database), application_name: nameNode(roles) });
    await client.connect();
    return client;
  };
  const web = await listen('web');
  expect((await run()).stdout).toContain('✗ Queue: no running process has the role worker');
  const worker = await listen('web', 'worker');
  expect((await run()).stdout).toContain('✓ Queue');
  await Promise.all([web.end(), worker.end()]);
});

it('finds a secret file that is damaged or of another database', async () => {
  const runWith = async (content: string) => {
    writeFileSync(join(folder, 'other.key'), content, { mode: 0o600 });
    return (await run({ SECRET_FILE: join(folder, 'other.key') })).stdout;
  };
  expect(await runWith('garbage\n')).toMatch(/✗ Secret file: .*does not contain a secret/);
  expect(await runWith(`${'5b'.repeat(32)}\n`)).toContain('✓ Secret file');
  const { close, db } = await openDatabase(database, { poolSize: 2, onConnectionLost: () => undefined });
  await openSecrets({ db, file: join(folder, 'secret.key') });
  await close();
  expect(await runWith(`${'5b'.repeat(32)}\n`)).toMatch(
    /✗ Secret file: .*not the one used for this database/,
  );
});

it('accepts a secret file that a group may read, and asks nobody at port 0', async () => {
  chmodSync(join(folder, 'secret.key'), 0o440);
  const { code, stdout } = await run({ BASE_URL: '', PORT: '0' });
  chmodSync(join(folder, 'secret.key'), 0o600);
  expect(code).toBe(0);
  expect(stdout).toContain('✓ Secret file: only its owner and its group can read it');
  expect(stdout).toContain('- Address: PORT is 0 and no service runs on this data folder');
});

it('names the proxy and the certificate authorities', async () => {
  const { certificate } = makeAuthority(folder, 'company');
  const { host } = new URL(service.url);
  const { stdout } = await run({
    http_proxy: `http://robot:hidden@${host}`,
    NODE_EXTRA_CA_CERTS: certificate,
  });
  configureOutgoingNetwork();
  expect(stdout).toContain(
    `✓ Network: through the proxy ${host}; certificate authorities from ${certificate} (1)`,
  );
  expect(stdout).not.toContain('hidden');
});

it('checks the rest without a database', async () => {
  const { code, stdout } = await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:2/none' });
  expect(code).toBe(3);
  expect(stdout).toMatch(/✗ Database: cannot be reached: .*\n +Start the service/);
  expect(stdout).toContain('- Queue: needs the database');
  expect(stdout).toMatch(/✓ git/);
});
