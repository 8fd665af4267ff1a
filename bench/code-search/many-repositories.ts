/** P23: a search in 200 repositories with 2 GB of text, compared with the same search in one of them. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Measurement } from '../measure.ts';
import { median } from '../measure.ts';
import { startServer } from '../processes.ts';

/** A smaller number gives a quick impression. */
const REPOSITORIES = Number(process.env.BENCH_REPOSITORIES ?? 200);
const BYTES_A_REPOSITORY = 10_000_000;
const FIRST_LIMIT_MS = 100;
const SEARCHES = 5;

interface Timed {
  firstMs: number;
  allMs: number;
}

/** `source` is a bare repository whose files are dealt out to all of them. */
export function manyRepositories(source: string): { measurements: Measurement[]; end(): Promise<void> } {
  const agent = new Agent({ keepAlive: true });
  let starting: ReturnType<typeof startServer> | undefined;
  const start = () => {
    starting ??= startServer('many-repositories.ts', {
      SOURCE: source,
      REPOSITORIES: String(REPOSITORIES),
      BYTES_A_REPOSITORY: String(BYTES_A_REPOSITORY),
    });
    return starting;
  };

  async function search(pattern: string, repositories?: string): Promise<Timed> {
    const { ready } = await start();
    const query = new URLSearchParams({ pattern, ...(repositories !== undefined && { repositories }) });
    const startedAt = performance.now();
    const sent = request(`${ready.url}/api/v2/remote-fs/search-all?${query}`, {
      agent,
      headers: { cookie: `countersign=${ready.session}` },
    });
    sent.end();
    const [response] = await once(sent, 'response');
    let firstMs = Number.NaN;
    let received = '';
    for await (const chunk of response) {
      received += chunk;
      if (Number.isNaN(firstMs) && received.includes('event: repository'))
        firstMs = performance.now() - startedAt;
    }
    if (!received.includes('event: summary'))
      throw new Error(`The search was cut off: ${received.slice(-300)}`);
    return { firstMs, allMs: performance.now() - startedAt };
  }
  async function medianOf(reading: keyof Timed, repositories?: string): Promise<number> {
    const { ready } = await start();
    const times: number[] = [];
    for (let count = 0; count < SEARCHES; count += 1)
      times.push((await search(ready.pattern!, repositories))[reading]);
    return median(times);
  }
  const define = (
    what: string,
    referenceName: string,
    target: Measurement['target'],
    ours: () => Promise<number>,
    reference: () => Promise<number>,
  ): Measurement => ({
    id: 'P23',
    what: `${what}, ${REPOSITORIES} repositories`,
    unit: 'ms',
    referenceName,
    target,
    rounds: 3,
    async prepare() {
      await ours();
      return { ours, reference, end: async () => undefined };
    },
  });
  return {
    measurements: [
      define(
        'first result of a selective search',
        'limit',
        { most: 1 },
        () => medianOf('firstMs'),
        async () => FIRST_LIMIT_MS,
      ),
      define(
        'all results of a selective search',
        'the same in one repository',
        { most: 10 },
        () => medianOf('allMs'),
        async () => medianOf('allMs', (await start()).ready.repository),
      ),
    ],
    async end() {
      agent.destroy();
      await (await starting)?.stop();
    },
  };
}
