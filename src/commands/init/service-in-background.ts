/** A service that outlives the command that started it, found again through its data folder. */
import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { makeDataFolder, readRunningService } from '../../platform/db/index.ts';
import type { Call } from '../command.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'countersign');
/** The first file in a data folder that is set up here. */
export const LOG_FILE = 'service.log';
const MAX_START_MS = 120_000;
const MAX_STOP_MS = 60_000;
const POLL_MS = 100;
const SHOWN_LOG_LINES = 15;

/** The address of the service on the data folder, which is started if none runs. */
export async function startInBackground(call: Call): Promise<{ url: string }> {
  const { dataDir, port } = call.config;
  const running = await readRunningService(dataDir);
  if (running?.address) return { url: running.address };
  process.stdout.write('Starting the service. The first time, this takes a minute.\n');
  await makeDataFolder(dataDir);
  const logFile = join(dataDir, LOG_FILE);
  const log = await open(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [BIN, 'serve'], {
    cwd: dataDir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { ...call.environment, DATA_DIR: dataDir, PORT: String(await freePort(port)) },
  });
  child.unref();
  await log.close();
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  for (
    const endMs = performance.now() + MAX_START_MS;
    ;
    await delay(POLL_MS, undefined, { signal: call.stopped })
  ) {
    const service = ended ? undefined : await readRunningService(dataDir, { waitMs: MAX_START_MS });
    if (service?.address && (await isReady(service.address))) return { url: service.address };
    if (ended || performance.now() > endMs) {
      const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LOG_LINES);
      throw new StartFailure(
        'refused',
        `the service did not start. The end of ${logFile}:\n${lines.join('\n')}`,
      );
    }
  }
}

/** Stops it and waits until it is gone; does nothing if none runs. */
export async function stopInBackground(dataDir: string, signal: AbortSignal): Promise<void> {
  const running = await readRunningService(dataDir);
  if (!running) return;
  process.kill(running.pid, 'SIGTERM');
  for (const endMs = performance.now() + MAX_STOP_MS; await readRunningService(dataDir); ) {
    if (performance.now() > endMs) throw new StartFailure('refused', `process ${running.pid} did not stop`);
    await delay(POLL_MS, undefined, { signal });
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** The usual port, or any other if that is taken. */
function freePort(wanted: number): Promise<number> {
  return new Promise((chosen) => {
    const server = createServer();
    server.once('error', () => chosen(0));
    server.listen(wanted, '127.0.0.1', () => server.close(() => chosen(wanted)));
  });
}
