/** The processes of a measurement: each side has its own, so that neither shares a heap with the load generator. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ServerProcess {
  /** Read from the server's first line. */
  ready: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts a server script that writes one line of JSON to descriptor 3 when it is ready; its log goes to a file. */
export async function startServer(
  script: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-log-'));
  const log = openSync(join(folder, 'log'), 'w');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'servers', script)], {
    stdio: ['ignore', log, 'inherit', 'pipe'],
    env: { ...process.env, ...environment },
  });
  closeSync(log);
  const ready = await readyLine(child);
  return {
    ready,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function readyLine(child: ChildProcess): Promise<Record<string, string>> {
  for await (const line of createInterface({ input: child.stdio[3] as Readable }))
    return JSON.parse(line).ready;
  throw new Error('The server exited before it was ready.');
}

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  /** JSON to POST; without it, the request is a GET. */
  body?: string;
}

/** Requests per second that a server answers with 2xx, measured by autocannon in a separate process. */
export async function requestsPerSecond(options: LoadOptions): Promise<number> {
  const packageFile = createRequire(import.meta.url).resolve('autocannon/package.json');
  const sent = {
    ...options.headers,
    ...(options.body !== undefined && { 'content-type': 'application/json' }),
  };
  const headers = Object.entries(sent).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const body = options.body === undefined ? [] : ['-m', 'POST', '-b', options.body];
  const child = spawn(
    process.execPath,
    [
      join(dirname(packageFile), 'autocannon.js'),
      ...['-j', '-n', '-c', String(options.connections), '-d', String(options.seconds)],
      ...headers,
      ...body,
      options.url,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  const report = JSON.parse(output);
  if (report.non2xx > 0 || report.errors > 0)
    throw new Error(`${report.non2xx} replies were not 2xx, ${report.errors} failed.`);
  return report.requests.total / report.duration;
}
