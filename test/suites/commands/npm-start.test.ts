/** `npm start` as an operator runs it: a signal to npm alone ends the service and its PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { CHECKOUT, isRunning, postgresPid } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 120_000 });
const groups = new Set<number>();

afterAll(async () => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
  await cleanUp();
});

it('ends with a SIGTERM that only npm gets', async () => {
  const data = join(temporaryFolder(), 'data');
  const { HOME, PATH } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: CHECKOUT,
    detached: true,
    env: { HOME, PATH, DATA_DIR: data, PORT: '0' } as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  groups.add(npm.pid!);
  const service = await vi.waitFor(
    () => {
      const info = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'));
      expect(info.address).toBeTypeOf('string');
      return info as { pid: number };
    },
    { timeout: 60_000, interval: 50 },
  );
  const postgres = postgresPid(data)!;
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  expect(isRunning(service.pid)).toBe(false);
  expect(isRunning(postgres)).toBe(false);
  expect(existsSync(join(data, 'service.json'))).toBe(false);
});
