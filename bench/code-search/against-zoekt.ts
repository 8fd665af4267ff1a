/**
 * P3C: literals, regular expressions and symbols, compared with zoekt, the search behind Sourcegraph, on its index of the default
 * branches. ZOEKT is the folder of its programs. The repositories are BENCH_REPO and those below BENCH_CLONES, a folder of bare clones.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from '../../test/helpers/processes/free-port.ts';
import { type Measurement, median } from '../measure.ts';
import { startServer } from '../processes.ts';
import { type Searches, sampleSearches } from './sample-searches.ts';

const ROUNDS = 5;
const REQUESTS_PER_SEARCH = 5;
/** As many lines, with as much around them, as our replies have. */
const LINES = 500;
const CONTEXT_LINES = 2;

type Kind = keyof Searches;
/** A file and a line of it, with the number of its repository. */
type Line = string;

interface Searcher {
  search(kind: Kind, what: string): Promise<{ lines: Line[]; isComplete: boolean }>;
  end(): Promise<void>;
}

const programs = process.env.ZOEKT;
/** Debian's universal-ctags, which zoekt runs to find symbols. */
const CTAGS = ['universal-ctags', 'ctags-universal'].find((name) => !spawnSync(name, ['--version']).error);

export function zoektMeasurements(): Measurement[] {
  const sets = [
    ...(process.env.BENCH_REPO ? [[process.env.BENCH_REPO]] : []),
    ...(process.env.BENCH_CLONES ? [clonesBelow(process.env.BENCH_CLONES)] : []),
  ];
  if (programs && CTAGS) return sets.flatMap(measurementsOf);
  process.stderr.write('P3C is skipped: ZOEKT names no folder with zoekt, or universal-ctags is missing\n');
  return [];
}

const clonesBelow = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) =>
      existsSync(join(folder, name, 'HEAD')) ? join(folder, name) : join(folder, name, 'repo'),
    );

function measurementsOf(clones: string[]): Measurement[] {
  let sides: Promise<[Searcher, Searcher, Searches]> | undefined;
  const name =
    clones.length === 1
      ? basename(join(clones[0]!, '..')).replace(/^.*\+/, '')
      : `${clones.length} repositories`;
  const start = async (): Promise<[Searcher, Searcher, Searches]> => {
    const searches = await sampleSearches(clones);
    const both = [await startOurs(clones), await startZoekt(clones)] as const;
    await compare(name, searches, ...both);
    return [...both, searches];
  };
  const kinds: [Kind, string][] = [
    ['literals', 'literals'],
    ['regularExpressions', 'regular expressions'],
    ['symbols', 'symbols'],
  ];
  return kinds.map(([kind, words], place) => ({
    id: 'P3C',
    what: `20 ${words}, sum of medians (${name})`,
    unit: 'ms',
    referenceName: 'zoekt',
    target: { most: 1 },
    rounds: ROUNDS,
    async prepare() {
      sides ??= start();
      const [ours, zoekt, searches] = await sides;
      const time = (searcher: Searcher) => async () => {
        let sum = 0;
        for (const what of searches[kind]) {
          const times: number[] = [];
          for (let count = 0; count < REQUESTS_PER_SEARCH; count += 1) {
            const started = performance.now();
            await searcher.search(kind, what);
            times.push(performance.now() - started);
          }
          sum += median(times);
        }
        return sum;
      };
      return {
        ours: time(ours),
        reference: time(zoekt),
        end: async () => {
          if (place === kinds.length - 1) await Promise.all([ours.end(), zoekt.end()]);
        },
      };
    },
  }));
}

/** Says for how many searches both found the same lines, apart from files that zoekt leaves out of its index. */
async function compare(name: string, searches: Searches, ours: Searcher, zoekt: Searcher): Promise<void> {
  const leftOut = new Set(
    (await zoekt.search('literals', 'NOT-INDEXED: ')).lines.map((line) => line.replace(/:\d+$/, '')),
  );
  for (const kind of ['literals', 'regularExpressions'] as const) {
    let [compared, equal] = [0, 0];
    for (const what of searches[kind]) {
      const [found, reference] = [await ours.search(kind, what), await zoekt.search(kind, what)];
      if (!found.isComplete || !reference.isComplete) continue;
      compared += 1;
      const known = found.lines.filter((line) => !leftOut.has(line.replace(/:\d+$/, '')));
      const missing = reference.lines.filter((line) => !known.includes(line));
      const more = known.filter((line) => !reference.lines.includes(line));
      if (missing.length + more.length === 0) equal += 1;
      else
        process.stderr.write(
          `P3C ${what}: only zoekt ${missing.slice(0, 3)}; only ours ${more.slice(0, 3)}\n`,
        );
    }
    process.stderr.write(`P3C ${name}, ${kind}: ${equal} of ${compared} complete results are equal\n`);
  }
}

async function startOurs(clones: string[]): Promise<Searcher> {
  const started = performance.now();
  const server = await startServer('clones.ts', { CLONES: JSON.stringify(clones) });
  const headers = { cookie: `countersign=${server.ready.session}`, 'content-type': 'application/json' };
  const read = async (path: string, body?: object) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`${server.ready.url}/api/v2/remote-fs/${path}`, { headers, ...init });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.text();
  };
  const only = clones.length === 1 ? 'bench/clone-0' : undefined;
  // The facts of a commit, which say where its symbols are, are extracted when they are first asked for.
  for (const [number] of clones.entries())
    await read(`symbols?${new URLSearchParams({ name: 'main', repository: `bench/clone-${number}` })}`);
  process.stderr.write(`P3C: ours cloned and indexed, with facts, in ${seconds(started)}\n`);
  return {
    async search(kind, what) {
      if (kind === 'symbols') {
        JSON.parse(
          await read(`symbols?${new URLSearchParams({ name: what, ...(only && { repository: only }) })}`),
        );
        return { lines: [], isComplete: true };
      }
      if (only) {
        const { files, more } = JSON.parse(
          await read('search', { repository: only, pattern: what, path: '' }),
        );
        return { lines: linesOf(0, files), isComplete: more === null };
      }
      return readEvents(await read(`search-all?${new URLSearchParams({ pattern: what })}`));
    },
    end: () => server.stop(),
  };
}

interface FoundFile {
  path: string;
  lines: { number: number; isMatch: boolean }[];
}
const linesOf = (repository: number, files: FoundFile[]): Line[] =>
  files.flatMap(({ lines, path }) =>
    lines.filter(({ isMatch }) => isMatch).map(({ number }) => `${repository}:${path}:${number}`),
  );

function readEvents(text: string): { lines: Line[]; isComplete: boolean } {
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  return {
    lines: events.flatMap(({ repository: found }) =>
      found ? linesOf(Number(/\d+$/.exec(found.repository)), found.files) : [],
    ),
    isComplete: events.some(({ summary }) => summary?.leftOut.length === 0),
  };
}

async function startZoekt(clones: string[]): Promise<Searcher> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-zoekt-'));
  const started = performance.now();
  const environment = { ...process.env, CTAGS_COMMAND: CTAGS };
  const repositories = new Map<string, number>();
  for (const [number, clone] of clones.entries()) {
    const args = ['-index', folder, '-require_ctags', '-branches', 'HEAD', clone];
    const child = spawn(join(programs!, 'zoekt-git-index'), args, { stdio: 'ignore', env: environment });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`zoekt-git-index ended with ${code} for ${clone}`);
    repositories.set(clone, number);
  }
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  process.stderr.write(
    `P3C: zoekt indexed, with symbols, in ${seconds(started)}, ${Math.round(bytes / 1e6)} MB\n`,
  );
  const port = await freePort();
  const server = spawn(
    join(programs!, 'zoekt-webserver'),
    ['-index', folder, '-listen', `127.0.0.1:${port}`, '-rpc'],
    {
      stdio: 'ignore',
    },
  );
  const url = `http://127.0.0.1:${port}`;
  // It answers before it has loaded what is indexed.
  const loaded = () =>
    post(`${url}/api/list`, { Q: 'type:repo .' }).then(
      ({ List }) => List.Repos ?? [],
      () => [],
    );
  let listed: { Repository: { Name: string; Source: string } }[] = [];
  while (listed.length < clones.length) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    listed = await loaded();
  }
  const numbers = new Map<string, number>(
    listed.map(({ Repository }) => [
      Repository.Name,
      repositories.get(Repository.Source.replace(/\/$/, '')) ?? 0,
    ]),
  );
  const queryOf = (kind: Kind, what: string) => {
    // Quoted, where a backslash escapes.
    const quoted = (expression: string) => `"${expression.replaceAll(/["\\]/g, '\\$&')}"`;
    return kind === 'symbols' ? `case:yes sym:${quoted(`^${what}$`)}` : `case:yes content:${quoted(what)}`;
  };
  return {
    async search(kind, what) {
      const Opts = { MaxMatchDisplayCount: LINES, NumContextLines: CONTEXT_LINES };
      const { Result } = await post(`${url}/api/search`, { Q: queryOf(kind, what), Opts });
      const files: { FileName: string; Repository: string; LineMatches: { LineNumber: number }[] }[] =
        Result.Files ?? [];
      const lines = files.flatMap(({ FileName, LineMatches, Repository }) =>
        LineMatches.map(({ LineNumber }) => `${numbers.get(Repository)}:${FileName}:${LineNumber}`),
      );
      return { lines: [...new Set(lines)], isComplete: lines.length < LINES };
    },
    async end() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await response.text());
}

const seconds = (started: number) => `${((performance.now() - started) / 1000).toFixed(1)} s`;
