/** Concurrent searches over HTTP take turns and stop when their clients disconnect. */
import { describe, expect, it, vi } from 'vitest';
import { createRandom } from '../../../test/exactness/random.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';

/** ripgrep has to track hundreds of possible matches at every byte of this text: about 1 MB per second. */
const SLOW = 'a[a-z ]{300}[^a-z ]{3}';
const TIME_LIMIT_SECONDS = 20;

const service = await startTestService({
  settings: {
    ALLOW_LOCAL_REPOSITORIES: 'true',
    SEARCH_MAX_RUNNING: '2',
    SEARCH_MAX_RUNNING_PER_KEY: '1',
    SEARCH_MAX_WAITING: '3',
    SEARCH_MAX_WAITING_PER_KEY: '2',
    SEARCH_TIMEOUT_SECONDS: String(TIME_LIMIT_SECONDS),
  },
});
const { acme, globex, logLines, url } = service;
const random = createRandom(1);
const slowText = `${Array.from({ length: 500_000 }, () => random.pick(['a', 'b'])).join('')}\n`;
const slow = await addRepository(
  service,
  Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`f${index}`, `${index} ${slowText}`])),
  { fullName: 'acme/slow' },
);
const small = await addRepository({ ...service, acme: globex }, { 'a.txt': 'needle\n' });

/** A grep whose client can disconnect. */
function grep(key: string, repository: string, pattern: string) {
  return post('/api/v2/remote-fs/grep', key, { repository, pattern, path: '' });
}

function grepByTool(key: string, repository: string, pattern: string) {
  const params = { name: 'remote_grep', arguments: { repository, pattern, path: '' } };
  return post('/mcp', key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

function post(path: string, key: string, body: Record<string, unknown>) {
  const leaving = new AbortController();
  const reply = fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: leaving.signal,
  }).then(
    async (response) => ({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    }),
    () => 'left' as const,
  );
  return { reply, leave: () => leaving.abort() };
}

async function searches(): Promise<Record<'running' | 'waiting', number>> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const count = (state: string) =>
    Number(new RegExp(`^countersign_code_searches\\{state="${state}"\\} (\\d+)`, 'm').exec(metrics)![1]);
  return { running: count('running'), waiting: count('waiting') };
}

const until = (running: number, waiting: number) =>
  vi.waitFor(async () => expect(await searches()).toEqual({ running, waiting }), { timeout: 30_000 });

describe('searches of two organizations', () => {
  it('take turns: one that sends too many is rejected, and the other is served', async () => {
    const first = [1, 2, 3].map(() => grep(acme.member.key, slow.fullName, SLOW));
    await until(1, 2);

    const refused = await grep(acme.member.key, slow.fullName, SLOW).reply;
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused !== 'left' && Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);

    const other = await grep(globex.member.key, small.fullName, 'n[e]edle').reply;
    expect(other).toMatchObject({ status: 200, body: { text: 'a.txt\n1:needle\n' } });

    // Another key of the same organization gets its own turn, and fills the node's queue.
    const more = grep(acme.admin.key, slow.fullName, SLOW);
    await until(1, 3);
    expect(await grep(acme.owner.key, slow.fullName, SLOW).reply).toMatchObject({
      status: 503,
      retryAfter: expect.stringMatching(/^\d+$/),
      body: { code: 'unavailable' },
    });
    expect(await grep(globex.member.key, small.fullName, 'needle').reply).toMatchObject({ status: 200 });

    for (const search of [...first, more]) search.leave();
    await until(0, 0);
    expect(await Promise.all([...first, more].map(({ reply }) => reply))).toEqual(Array(4).fill('left'));
  });

  it.each([
    ['request', grep],
    ['tool call', grepByTool],
  ])('log no error when a client disconnects during a %s', async (_what, start) => {
    const leaving = start(acme.member.key, slow.fullName, SLOW);
    const waiting = start(acme.member.key, slow.fullName, SLOW);
    await until(1, 1);
    const before = logLines.length;
    waiting.leave();
    await until(1, 0);
    leaving.leave();
    await until(0, 0);
    const gone = () => logLines.slice(before).filter((line) => line.includes('the client disconnected'));
    await vi.waitFor(() => expect(gone()).toHaveLength(2), { timeout: 30_000 });
    const lines = logLines.slice(before).map((line) => JSON.parse(line));
    // On a busy machine a query can be slow.
    const unexpected = lines.filter(
      ({ level, msg }) => !['debug', 'info'].includes(level) && !/^slow /.test(msg),
    );
    expect(unexpected).toEqual([]);
  });
});
