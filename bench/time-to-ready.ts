/** P12: from an empty data folder to the first 200 on /readyz, compared with initdb and a start of PostgreSQL alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from './measure.ts';

const COMMAND = join(import.meta.dirname, '..', 'bin', 'countersign');
const POSTGRES_ALONE = join(import.meta.dirname, 'servers', 'postgres-alone.ts');
const PORT = 45_123;

export const timeToReady: Measurement = {
  id: 'P12',
  what: 'empty folder to ready',
  unit: 's',
  referenceName: 'initdb and start alone',
  target: { most: 2.5 },
  rounds: 5,
  async prepare() {
    const ours = () => inEmptyFolder(serviceReady);
    const reference = () => inEmptyFolder(postgresReady);
    await ours();
    return { ours, reference, end: async () => undefined };
  },
};

async function inEmptyFolder(run: (dir: string) => Promise<number>): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return await run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs the whole command, as `npm start` does, until the first 200. */
async function serviceReady(dir: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'serve'], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: join(dir, 'data'), PORT: String(PORT), LOG_LEVEL: 'warn' },
  });
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return (performance.now() - started) / 1000;
      if (child.exitCode !== null) throw new Error(`The service exited with code ${child.exitCode}.`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

/** The script measures from the start of initdb to the first connection, without its own startup. */
async function postgresReady(dir: string): Promise<number> {
  const child = spawn(process.execPath, [POSTGRES_ALONE, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return Number(output);
}
