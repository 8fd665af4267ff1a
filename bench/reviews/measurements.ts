/**
 * P20: a review of a pull request without a model, compared with ripgrep on a checkout. P21: what the service still answers while it
 * reviews 50 pull requests, and the memory that this takes.
 */
import { setTimeout } from 'node:timers/promises';
import type { Corpus } from '../code-search/corpus.ts';
import { HEALTH_LIMIT_MS, ripgrep } from '../code-search/measurements.ts';
import type { Measurement } from '../measure.ts';
import { type ServerProcess, startServer } from '../processes.ts';
import { type BranchPair, makeChanges } from './changes.ts';
import { watchMemory } from './memory.ts';

const ROUNDS = 5;
const OWN_LIMIT_MEGABYTES = 400;
const TOTAL_LIMIT_MEGABYTES = 1000;
const POLL_MS = 50;
const ASK_EVERY_MS = 10;

interface Run {
  id: string;
  state: string;
  problem: string | null;
  startedAt: string;
  finishedAt: string;
}

interface Load {
  healthMs: number;
  readMs: number;
  ownMegabytes: number;
  totalMegabytes: number;
}

/** One service runs all measurements of a corpus, one after another. */
export function reviewMeasurements(corpus: Corpus): { measurements: Measurement[]; end(): Promise<void> } {
  let preparing: ReturnType<typeof prepare> | undefined;
  let load: Promise<Load> | undefined;
  async function prepare() {
    const changes = await makeChanges(corpus);
    return { changes, server: await startServer('reviews.ts', { CORPUS: corpus.gitDir }) };
  }
  const prepared = () => {
    preparing ??= prepare();
    return preparing;
  };
  const end = async () => undefined;

  const review = (files: number, most: number, which: 'ofFive' | 'ofHundred'): Measurement => ({
    id: 'P20',
    what: `review of a pull request of ${files} files (${corpus.name})`,
    unit: 'ms',
    referenceName: 'rg on a checkout',
    target: { most },
    rounds: ROUNDS,
    async prepare() {
      const { changes, server } = await prepared();
      const next = changes[which].values();
      const ours = async () => {
        const { finishedAt, startedAt } = await reviewed(server, await open(server, next.next().value!));
        return Date.parse(finishedAt) - Date.parse(startedAt);
      };
      const reference = () => ripgrep(corpus, corpus.selective[0]!);
      await ours();
      await reference();
      return { ours, reference, end };
    },
  });
  const during = (what: string, unit: string, limit: number, reading: keyof Load): Measurement => ({
    id: 'P21',
    what: `${what} (${corpus.name})`,
    unit,
    referenceName: 'limit',
    target: { most: 1 },
    rounds: 1,
    async prepare() {
      const { changes, server } = await prepared();
      load ??= reviewAll(server, changes.atOnce);
      const measured = await load;
      return { ours: async () => measured[reading], reference: async () => limit, end };
    },
  });
  return {
    measurements: [
      review(5, 2, 'ofFive'),
      review(100, 10, 'ofHundred'),
      during('/healthz, p99, during 50 reviews', 'ms', HEALTH_LIMIT_MS, 'healthMs'),
      during('a keyed read, p99, during 50 reviews', 'ms', HEALTH_LIMIT_MS, 'readMs'),
      during('memory of the service during 50 reviews', 'MB', OWN_LIMIT_MEGABYTES, 'ownMegabytes'),
      during('the same with its child processes', 'MB', TOTAL_LIMIT_MEGABYTES, 'totalMegabytes'),
    ],
    end: async () => (await preparing)?.server.stop(),
  };
}

async function call<Reply>(
  { ready }: ServerProcess,
  path: string,
  { body, organization = 0 }: { body?: unknown; organization?: number } = {},
): Promise<Reply> {
  const response = await fetch(`${ready.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      cookie: `countersign=${ready.sessions!.split(',')[organization]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Reply;
}

interface Opened {
  id: string;
  organization: number;
}

/** Its first review is due at once. */
async function open(server: ServerProcess, branches: BranchPair, organization = 0): Promise<Opened> {
  const body = { ...branches, repository: 'bench/corpus', title: 'A change' };
  const { id } = await call<{ id: string }>(server, '/api/v2/pull-requests', { body, organization });
  return { id, organization };
}

async function reviewed(server: ServerProcess, { id, organization }: Opened): Promise<Run> {
  for (;;) {
    const path = `/api/v2/pull-requests/${id}/review-runs`;
    const [run] = (await call<{ runs: Run[] }>(server, path, { organization })).runs;
    if (!run) {
      await setTimeout(POLL_MS);
      continue;
    }
    const { checks } = await call<{ checks: { name: string; failure: string | null }[] }>(
      server,
      `/api/v2/review-runs/${run.id}`,
      { organization },
    );
    const failed = checks.find(({ failure }) => failure !== null);
    if (run.state !== 'done' || failed)
      throw new Error(`The review did not run completely: ${run.problem ?? JSON.stringify(failed)}`);
    return run;
  }
}

/** Half of them in each organization, so that as many reviews run at once as can. */
async function reviewAll(server: ServerProcess, changes: BranchPair[]): Promise<Load> {
  const { key, processId, url } = server.ready;
  const memory = watchMemory(Number(processId));
  let isRunning = true;
  const ask = async (path: string, headers: Record<string, string>) => {
    const times: number[] = [];
    while (isRunning) {
      const started = performance.now();
      const response = await fetch(`${url}${path}`, { headers });
      await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      times.push(performance.now() - started);
      await setTimeout(ASK_EVERY_MS);
    }
    return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
  };
  const asking = Promise.all([ask('/healthz', {}), ask('/api/v2/reviewer/config', { 'x-api-key': key! })]);
  try {
    const opened = await Promise.all(changes.map((branches, number) => open(server, branches, number % 2)));
    for (const each of opened) await reviewed(server, each);
  } finally {
    isRunning = false;
  }
  const [healthMs, readMs] = await asking;
  return { healthMs, readMs, ...(await memory.stop()) };
}
