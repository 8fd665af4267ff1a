/** A data folder that is set up, with a key: made once for a whole run, because a first start takes five seconds of CPU time. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { PASSWORD, runCountersign } from './countersign-process.ts';

/** The owner of Acme, whose key it is; the password is `PASSWORD`. */
export const OWNER = 'ada@example.com';

/** Copies it to `to`, where nothing is yet. */
export async function copyPreparedData(to: string): Promise<{ key: string }> {
  // Shared by all workers of a run: the first one that needs it makes it, and the others wait.
  const folder = join(tmpdir(), 'prepared');
  await vi.waitUntil(async () => existsSync(folder) || (await prepare(folder)), {
    timeout: 120_000,
    interval: 50,
  });
  cpSync(join(folder, 'data'), to, { recursive: true });
  return { key: readFileSync(join(folder, 'key'), 'utf8').trim() };
}

/** False if another worker is at it. */
async function prepare(folder: string): Promise<boolean> {
  const cwd = `${folder}.new`;
  try {
    mkdirSync(cwd);
  } catch {
    return false;
  }
  try {
    const setup = ['setup', '--organization', 'Acme', '--email', OWNER, '--name', 'Ada'];
    expect(await runCountersign(setup, { cwd, input: PASSWORD })).toMatchObject({ code: 0 });
    const made = await runCountersign(['key', 'create', '--email', OWNER, '--name', 'writer'], { cwd });
    expect(made).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, 'key'), made.stdout);
    renameSync(cwd, folder);
    return true;
  } catch (error) {
    rmSync(cwd, { recursive: true, force: true });
    throw error;
  }
}
