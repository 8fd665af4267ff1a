/** A full disk: requests return 507 with the cause, /readyz reports it, and writes work again once there is space. */
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { GitFailure } from '../../../src/engines/git/index.ts';
import { isDiskFull } from '../../../src/platform/core/errors/disk-full.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { makeRepository } from '../../helpers/git/git-fixtures.ts';
import {
  endProcesses,
  PASSWORD,
  runCountersign,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { copyPreparedData } from '../../helpers/processes/prepared-data.ts';
import { cleanUp, smallDisk } from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 240_000 });
afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

it('is recognized by error codes of PostgreSQL and the system, by messages of git, and in nested causes', () => {
  const coded = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['53100', 'ENOSPC', 'EDQUOT']) expect(isDiskFull(coded(code))).toBe(true);
  expect(
    isDiskFull(new GitFailure('fetch', 'exit', 128, 'fatal: write error: No space left on device')),
  ).toBe(true);
  expect(isDiskFull(new Error('x', { cause: coded('ENOSPC') }))).toBe(true);
  for (const error of [coded('ECONNREFUSED'), new Error('x'), undefined, null])
    expect(isDiskFull(error)).toBe(false);
});

it('507 while the disk is full, and normal operation once there is space', async ({ skip }) => {
  const disk = smallDisk('size=260m');
  if (!disk) return skip('mounting a small disk needs root');
  const env = { DATA_DIR: join(disk, 'data'), RATE_LIMIT: 'off', LOG_LEVEL: 'error' };
  const { key } = await copyPreparedData(env.DATA_DIR);
  const service = await startService({ env });
  const get = (path: string) => fetch(`${service.url}${path}`, { headers: { 'x-api-key': key } });
  const doctor = async () => (await runCountersign(['doctor'], { env })).stdout;
  const firstProblem = /^✗ .*/m;
  const write = (n: number) =>
    fetch(`${service.url}/api/v2/mcp-sessions/events`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
        eventType: `event ${n}`,
        payload: { text: Array.from({ length: 2000 }, () => Math.random().toString(36)).join() },
      }),
    });
  expect((await write(0)).status).toBe(204);
  // PostgreSQL may have used some of the space meanwhile; writes that fit succeed.
  const filling = fill(disk);

  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, ((await ready.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('No disk space left'),
  ]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  const statuses = new Set<number>();
  for (let n = 1; n < 400 && !statuses.has(507); n += 1) {
    const reply = await write(n);
    statuses.add(reply.status);
    if (reply.status !== 507) continue;
    const problem = {
      code: 'disk_full',
      detail: expect.stringContaining('The disk of the database is full'),
    };
    expect(await reply.json()).toMatchObject(problem);
  }
  expect([...statuses].filter((status) => ![204, 503].includes(status))).toEqual([507]);
  for (const path of ['/api/v2/reviewer/config', '/api/v2/reviewer/reviewers'])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect((await doctor()).match(firstProblem)![0]).toMatch(/^✗ Disk: full: .* free in /);

  rmSync(filling);
  await vi.waitUntil(async () => (await fetch(`${service.url}/readyz`)).status === 200, {
    timeout: 60_000,
    interval: 50,
  });
  expect((await write(1000)).status).toBe(204);
  expect(await service.stop()).toMatchObject({ code: 0 });
  fill(disk);
  const said = await doctor();
  expect(said.match(firstProblem)![0]).toMatch(/^✗ Disk: full/);
  expect(said).toMatch(/✗ Database: cannot be reached: There is not enough disk space for the data folder/);
});

it('a node with DATABASE_URL starts with a full data folder, keeps it for itself, and serves what it has', async ({
  skip,
}) => {
  const disk = smallDisk('size=80m');
  if (!disk) return skip('mounting a small disk needs root');
  const repository = await makeRepository({ 'src/one.ts': 'export const one = 1;\n' });
  const env = {
    DATA_DIR: join(disk, 'data'),
    DATABASE_URL: urlOf(await createTestDatabase()),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  };
  const run = async (words: string[], input = '') => {
    const ended = await runCountersign(words, { env, input });
    expect([ended.code, ended.stderr]).toEqual([0, expect.anything()]);
    return ended.stdout.trim();
  };
  await run(['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'], PASSWORD);
  const key = await run(['key', 'create', '--email', 'ada@example.com', '--name', 'reader']);
  await run(['repo', 'add', repository.folder, '--name', 'shop']);
  fill(disk);

  const service = await startService({ env });
  expect(service.stdout()).toContain('the disk of the data folder is full');
  const grep = await fetch(`${service.url}/api/v2/remote-fs/grep`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ repository: 'shop', pattern: 'one', path: '.' }),
  });
  expect([grep.status, await grep.json()]).toEqual([200, { text: 'src/one.ts\n1:export const one = 1;\n' }]);
  const event = await fetch(`${service.url}/api/v2/mcp-sessions/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x', payload: {} }),
  });
  expect(event.status, 'the database is on another disk').toBe(204);
  expect((await runCountersign(['doctor'], { env })).stdout.match(/^✗ .*/m)![0]).toMatch(/^✗ Disk: full/);
  expect(await service.stop()).toMatchObject({ code: 0 });
});

/** Until nothing more can be written. */
function fill(disk: string): string {
  const file = join(disk, 'filling');
  const { bavail, bsize } = statfsSync(disk);
  expect(() => writeFileSync(file, Buffer.alloc((bavail + 1) * bsize))).toThrow('ENOSPC');
  return file;
}
