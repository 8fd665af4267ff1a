/** P3 to P9, P3B and FAIR: code search, compared with ripgrep on a checkout and git on the bare repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { createCodeSearch, type SearchSettings } from '../../src/engines/search/index.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { type Measurement, median } from '../measure.ts';
import { startServer } from '../processes.ts';
import { hasCsearch, indexForCsearch, sumOfMedians } from './against-csearch.ts';
import type { Corpus } from './corpus.ts';
import { factMeasurements } from './facts.ts';
import { pushOf100 } from './push-of-100.ts';

const ROUNDS = 5;
const FASTER = { most: 0.1 };

const UNLIMITED: SearchSettings = {
  indexDiskBytes: 1e12,
  searchTimeoutMs: 600_000,
  searchLimits: { maxRunning: 1, maxRunningPerCredential: 1, maxWaiting: 1, maxWaitingPerCredential: 1 },
};

const agent = new Agent({ keepAlive: true });

/** Sends one request, reads the whole reply and returns the duration in milliseconds. */
async function timed(
  server: { url: string; key: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  const started = performance.now();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = request(`${server.url}${path}`, {
    method,
    agent,
    headers: {
      'x-api-key': server.key,
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    },
  });
  sent.end(text);
  const [response] = await once(sent, 'response');
  let received = '';
  for await (const chunk of response) received += chunk;
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${received}`);
  return performance.now() - started;
}

async function timedCommand(command: string, args: string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  await once(child, 'close');
  return performance.now() - started;
}

async function total<Item>(items: Item[], time: (item: Item) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const item of items) sum += await time(item);
  return sum;
}

export const ripgrep = (corpus: Corpus, pattern: string) =>
  timedCommand(rgPath, [
    '--no-config',
    '-uu',
    '--line-number',
    '--context=2',
    `--regexp=${pattern}`,
    corpus.checkout,
  ]);
/** Converts ripgrep's syntax to that of `git grep -P`. */
const gitGrep = (corpus: Corpus, pattern: string, commit: string) =>
  timedCommand('git', [`--git-dir=${corpus.gitDir}`, 'grep', '-n', '-P', '-e', pattern, commit]);
const listTree = (corpus: Corpus, commit: string, glob: string) =>
  timedCommand('sh', [
    '-c',
    'git --git-dir="$1" ls-tree -r --name-only "$2" | grep -E "$3" | head -n 1000',
    'sh',
    corpus.gitDir,
    commit,
    glob.replaceAll('.', '\\.').replaceAll(/\*+\/?/g, '.*'),
  ]);

interface Searched {
  /** The median of some selective greps of one organization, in milliseconds, while another one runs the greps in `load`. */
  grepOfOther(load: string[]): Promise<number>;
  /** The slowest of a hundred health checks while 24 greps run for some seconds. */
  healthDuringGreps(patterns: string[]): Promise<number>;
  /** The memory of the service's own process. */
  residentMegabytes(): Promise<number>;
  grep(pattern: string, ref?: string): Promise<number>;
  /** Direct access to the code reader, without HTTP. */
  files(glob: string, commit?: string): Promise<number>;
  end(): Promise<void>;
}

async function startSearched(corpus: Corpus): Promise<Searched> {
  const server = await startServer('code.ts', { CORPUS: corpus.gitDir });
  const place = { url: server.ready.url!, key: server.ready.key! };
  const repository = 'bench/corpus';
  // File search needs no index.
  const unused = join(tmpdir(), 'countersign-no-index');
  const search = createCodeSearch({
    log: createLog({ level: 'warn', terminal: false }),
    settings: UNLIMITED,
  });
  const other = { url: place.url, key: server.ready.otherKey! };
  return {
    async grepOfOther(load) {
      let isMeasuring = true;
      const body = (pattern: string) => ({ repository, pattern, path: '' });
      const lanes = Array.from({ length: load.length === 0 ? 0 : GREPS_AT_ONCE }, async (_, lane) => {
        for (let turn = lane; isMeasuring; turn += 1) {
          const pattern = load[turn % load.length]!;
          // Whether the heavy greps finish in time isn't measured.
          await timed(place, 'POST', '/api/v2/remote-fs/grep', body(pattern)).catch(() => undefined);
        }
      });
      if (lanes.length > 0) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const times: number[] = [];
      for (let count = 0; count < GREPS_A_READING; count += 1) {
        times.push(await timed(other, 'POST', '/api/v2/remote-fs/grep', body(corpus.selective[0]!)));
      }
      isMeasuring = false;
      await Promise.all(lanes);
      return median(times);
    },
    grep: (pattern, ref) =>
      timed(place, 'POST', '/api/v2/remote-fs/grep', { repository, pattern, path: '', ref }),
    async files(glob, commit = corpus.head) {
      const started = performance.now();
      await search.request(
        'findFiles',
        { gitDir: corpus.gitDir, indexFolder: unused },
        { commit, glob, limit: 1000 },
        {
          caller: { organizationId: 'bench', userId: 'bench', credentialId: 'bench' },
          signal: new AbortController().signal,
        },
      );
      return performance.now() - started;
    },
    async healthDuringGreps(patterns) {
      const until = performance.now() + LOAD_MS;
      const greps = Array.from({ length: GREPS_AT_ONCE }, async (_, lane) => {
        for (let turn = lane; performance.now() < until; turn += 1) {
          await timed(place, 'POST', '/api/v2/remote-fs/grep', {
            repository,
            pattern: patterns[turn % patterns.length],
            path: '',
          });
        }
      });
      const answers: number[] = [];
      while (performance.now() < until) {
        answers.push(await timed(place, 'GET', '/healthz'));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await Promise.all(greps);
      return answers.sort((one, other) => one - other)[Math.floor(answers.length * 0.99)]!;
    },
    async residentMegabytes() {
      const text = await (await fetch(`${place.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes ([\d.e+]+)/m.exec(text)![1]) / 1e6;
    },
    async end() {
      await search.close();
      await server.stop();
    },
  };
}

const LOAD_MS = 4000;
/** Waits until all heavy greps are running or queued. */
const SETTLE_MS = 500;
const GREPS_A_READING = 15;
const GREPS_AT_ONCE = 24;
/** For answers of the service while it works. */
export const HEALTH_LIMIT_MS = 100;
const MEMORY_LIMIT_MEGABYTES = 300;

interface Sides {
  ours(): Promise<number>;
  reference(): Promise<number>;
  warm?: boolean;
}

/** One service runs all measurements of a corpus, one after another. */
export function searchMeasurements(corpus: Corpus): { measurements: Measurement[]; end(): Promise<void> } {
  let starting: Promise<Searched> | undefined;
  const all = [...corpus.selective, ...corpus.unselective];
  const unseen = corpus.earlier.values();
  const define = (
    id: string,
    what: string,
    referenceName: string,
    target: Measurement['target'],
    sides: (searched: Searched) => Sides | Promise<Sides>,
  ): Measurement => ({
    id,
    what: `${what} (${corpus.name})`,
    unit: 'ms',
    referenceName,
    target,
    rounds: ROUNDS,
    async prepare() {
      starting ??= startSearched(corpus);
      const made = await sides(await starting);
      if (made.warm !== false) {
        await made.ours();
        await made.reference();
      }
      return { ...made, end: async () => undefined };
    },
  });
  const next = () => {
    const { done, value } = unseen.next();
    if (done) throw new Error('The corpus has too few commits.');
    return value;
  };
  const last: { commit: string } = { commit: corpus.head };

  const searches = [
    define(
      'P3',
      `grep, ${corpus.selective.length} selective patterns`,
      'rg on a checkout',
      FASTER,
      (searched) => ({
        ours: () => total(corpus.selective, (pattern) => searched.grep(pattern)),
        reference: () => total(corpus.selective, (pattern) => ripgrep(corpus, pattern)),
      }),
    ),
    ...(hasCsearch()
      ? [
          define(
            'P3B',
            `grep, ${corpus.identifiers.length} identifiers, sum of medians`,
            'csearch -n on an indexed checkout',
            { most: 1 },
            async (searched) => {
              const find = await indexForCsearch(corpus);
              return {
                ours: () => sumOfMedians(corpus.identifiers, (word) => searched.grep(word)),
                reference: () => sumOfMedians(corpus.identifiers, find),
              };
            },
          ),
        ]
      : []),
    define(
      'P4',
      `grep, ${corpus.unselective.length} patterns without a trigram`,
      'rg on a checkout',
      { most: 1.2 },
      (searched) => ({
        ours: () => total(corpus.unselective, (pattern) => searched.grep(pattern)),
        reference: () => total(corpus.unselective, (pattern) => ripgrep(corpus, pattern)),
      }),
    ),
    define('P5', `grep, all ${all.length} patterns, known commit`, 'git grep', { most: 1 }, (searched) => ({
      ours: () => total(all, (pattern) => searched.grep(pattern)),
      reference: () => total(all, (pattern) => gitGrep(corpus, pattern, corpus.head)),
    })),
    define(
      'P6',
      `${corpus.globs.length} file searches, known commit`,
      'git ls-tree and grep',
      FASTER,
      (searched) => ({
        ours: () => total(corpus.globs, (glob) => searched.files(glob)),
        reference: () => total(corpus.globs, (glob) => listTree(corpus, corpus.head, glob)),
      }),
    ),
    define('P6', 'file search, new commit', 'git ls-tree and grep', { most: 1 }, (searched) => ({
      warm: false,
      ours: () => {
        last.commit = next();
        return searched.files(corpus.globs[0]!, last.commit);
      },
      reference: () => listTree(corpus, last.commit, corpus.globs[0]!),
    })),
    define('P5', 'grep, new commit', 'git grep', { most: 2 }, (searched) => ({
      warm: false,
      ours: () => {
        last.commit = next();
        return searched.grep(corpus.unselective[0]!, last.commit);
      },
      reference: () => gitGrep(corpus, corpus.unselective[0]!, last.commit),
    })),
  ];
  const load = [
    define(
      'FAIR',
      'a selective grep while another organization runs 24 heavy ones',
      'alone',
      { most: 5 },
      (searched) => ({
        ours: () => searched.grepOfOther(corpus.unselective),
        reference: () => searched.grepOfOther([]),
      }),
    ),
    define('LOAD', '/healthz, p99, during 24 greps at once', 'limit', { most: 1 }, (searched) => ({
      warm: false,
      ours: () => searched.healthDuringGreps(all),
      reference: async () => HEALTH_LIMIT_MS,
    })),
    {
      ...define('P13', 'memory of the service after that', 'limit', { most: 1 }, (searched) => ({
        warm: false,
        ours: () => searched.residentMegabytes(),
        reference: async () => MEMORY_LIMIT_MEGABYTES,
      })),
      unit: 'MB',
      rounds: 1,
    },
  ];
  return {
    measurements: [
      ...searches,
      ...load,
      ...indexMeasurements(corpus),
      ...factMeasurements(corpus, UNLIMITED),
    ],
    end: async () => (await starting)?.end(),
  };
}

interface Build {
  firstMs: number;
  updateMs: number;
  /** On disk after the first build. */
  bytes: number;
}

/** P7 to P9 without the service: building the index, updating it, and its size, all from the same builds. */
function indexMeasurements(corpus: Corpus): Measurement[] {
  const log = createLog({ level: 'warn', terminal: false });
  const rareWord = () =>
    timedCommand('git', [`--git-dir=${corpus.gitDir}`, 'grep', '-c', 'zqxyvwk', corpus.head]);
  const signal = new AbortController().signal;
  const builds: Build[] = [];
  let push: Promise<string> | undefined;

  async function build(): Promise<Build> {
    push ??= pushOf100(corpus);
    const after = await push;
    const folder = mkdtempSync(join(tmpdir(), 'countersign-index-'));
    const indexFolder = join(folder, 'repository', 'index');
    const search = createCodeSearch({ log, settings: UNLIMITED });
    const index = async (commit: string) => {
      const started = performance.now();
      await search.index({ gitDir: corpus.gitDir, indexFolder }, [commit], { signal });
      return performance.now() - started;
    };
    try {
      const firstMs = await index(corpus.head);
      const bytes = readdirSync(indexFolder).reduce(
        (sum, file) => sum + statSync(join(indexFolder, file)).size,
        0,
      );
      const made = { firstMs, bytes, updateMs: await index(after) };
      builds.push(made);
      return made;
    } finally {
      await search.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  /** The build of a round, unless an earlier measurement already made it. */
  const nth = async (round: number) => builds[round] ?? (await build());
  const inTurn = (reading: (made: Build) => number) => {
    let round = 0;
    return async () => reading(await nth(round++));
  };
  const nothing = async () => undefined;

  return [
    {
      id: 'P7',
      what: `first index (${corpus.name})`,
      unit: 'ms',
      referenceName: 'git grep for a rare word',
      target: { most: 20 },
      rounds: ROUNDS,
      prepare: async () => ({ ours: inTurn(({ firstMs }) => firstMs), reference: rareWord, end: nothing }),
    },
    {
      id: 'P8',
      what: `index update after a push of 100 files (${corpus.name})`,
      unit: 'ms',
      referenceName: 'first index',
      target: { most: 0.02 },
      rounds: ROUNDS,
      prepare: async () => ({
        ours: inTurn(({ updateMs }) => updateMs),
        reference: inTurn(({ firstMs }) => firstMs),
        end: nothing,
      }),
    },
    {
      id: 'P9',
      what: `index on disk, contents included (${corpus.name})`,
      unit: 'MB',
      referenceName: 'text of what is indexed',
      target: { most: 1.5 },
      rounds: 1,
      prepare: async () => ({
        ours: inTurn(({ bytes }) => bytes / 1e6),
        reference: async () => corpus.textBytes / 1e6,
        end: nothing,
      }),
    },
  ];
}
