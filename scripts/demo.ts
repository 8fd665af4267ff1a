/** `npm run demo`, or `PORT=5000 npm run demo`: the service in a temporary folder with the organization of a believable team, ready to look around in. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../test/helpers/processes/countersign-process.ts';
import { DEMO_SETTINGS, fillDemo } from './demo/fill.ts';
import { makeDemoOrganization, PASSWORD } from './demo/organization.ts';
import { Story } from './demo/story.ts';

const USUAL_PORT = 4000;
const tell = (line: string) => void process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
// Whatever is made meanwhile is deleted with it.
process.env.TMPDIR = folder;
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
try {
  await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  tell(
    'Starting the service, and creating repositories, plans and pull requests. This takes about a minute.',
  );
  const dataDir = join(folder, 'data');
  const service = await startService({
    cwd: folder,
    // Ctrl-C reaches this script alone, which stops the service in turn.
    ownGroup: true,
    env: { DATA_DIR: dataDir, PORT: process.env.PORT ?? String(await choosePort()), ...DEMO_SETTINGS },
  });
  const { signal } = stopped;
  signal.addEventListener('abort', () => service.child.kill('SIGTERM'));
  if (signal.aborted) service.child.kill('SIGTERM');
  try {
    const [, token] = await service.until(/#token=(\S+)/);
    const { url } = service;
    const story = new Story();
    const organization = await makeDemoOrganization(url, token!, story);
    const { key } = await fillDemo({ url, dataDir, folder, stopped: signal }, organization, story);
    greet(url, key);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await service.ended;
}

function greet(url: string, key: string): void {
  const curl = (path: string) => `  curl -H 'x-api-key: ${key}' '${url}${path}'`;
  tell(`
Countersign is ready at ${url}

  Sign in as  ada@acme.example
  Password    ${PASSWORD}
  API key     ${key}

Try it from a terminal:
${curl('/api/v2/discussions/by-branch?repository=web-shop&branch=declined-cards')}
${curl('/api/v2/reviewer/reviewers')}
${curl('/api/v2/remote-fs/grep')} \\
    -H 'content-type: application/json' -d '{"repository": "web-shop", "path": "src", "pattern": "TODO"}'

Press Ctrl-C to stop. Nothing is kept.`);
}

/** Without `PORT`: the usual port, or any other if that is taken. */
function choosePort(): Promise<number> {
  return new Promise((chosen) => {
    const server = createServer();
    const close = (port: number) => server.close(() => chosen(port));
    server.once('error', () => chosen(0));
    server.listen(USUAL_PORT, '127.0.0.1', () => close(USUAL_PORT));
  });
}
