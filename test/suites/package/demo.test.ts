/** `npm run demo`: what it prints works as it is, and nothing is left when it ends. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CHECKOUT, PASSWORD } from '../../helpers/processes/countersign-process.ts';
import { freePort } from '../../helpers/processes/free-port.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

afterAll(cleanUp);

it('fills a service whose address, sign-in and commands work, and removes it at Ctrl-C', {
  timeout: 180_000,
}, async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  const demo = spawn(process.execPath, [join(CHECKOUT, 'scripts', 'demo.ts')], {
    env: { ...process.env, TMPDIR: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<number | null>((settle) => void demo.on('close', settle));
  try {
    await expect.poll(() => said, { timeout: 150_000 }).toContain('Press Ctrl-C to stop');
    const url = /ready at (\S+)/.exec(said)![1]!;
    expect(new URL(url).port).toBe(String(port));
    const [discussions, reviewers, matches] = said
      .split(/^ {2}curl /m)
      .slice(1)
      .map((words) =>
        JSON.parse(execFileSync('sh', ['-c', `curl -sS ${words.split('\n\n')[0]}`], { encoding: 'utf8' })),
      );
    expect(discussions).toMatchObject([{ file: 'src/orders.ts', status: 'open' }]);
    expect(reviewers.length ?? reviewers.reviewers.length).toBeGreaterThan(9);
    expect(JSON.stringify(matches)).toContain('// TODO: the second provider.');
    const signIn = await fetch(`${url}/api/v2/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: /Sign in as +(\S+)/.exec(said)![1], password: PASSWORD }),
    });
    expect(said).toContain(PASSWORD);
    const cookie = signIn.headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const list = await fetch(`${url}/api/v2/pull-requests?state=all&limit=50`, { headers: { cookie } });
    const { pullRequests } = (await list.json()) as { pullRequests: { state: string; createdAt: string }[] };
    expect([...new Set(pullRequests.map(({ state }) => state))].sort()).toEqual([
      'closed',
      'draft',
      'merged',
      'open',
    ]);
    const days = pullRequests.map(({ createdAt }) => (Date.now() - Date.parse(createdAt)) / 86_400_000);
    expect(Math.max(...days)).toBeGreaterThan(11);
  } finally {
    demo.kill('SIGINT');
    await ended;
  }
  expect(readdirSync(folder)).toEqual([]);
});
