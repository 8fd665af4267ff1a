/** P22 and P24: extracting the facts of a repository, compared with indexing it, and finding symbols. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodeFacts } from '../../src/engines/facts/index.ts';
import { createCodeSearch, type SearchSettings } from '../../src/engines/search/index.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import type { Measurement } from '../measure.ts';
import type { Corpus } from './corpus.ts';
import { pushOf100 } from './push-of-100.ts';

const FIRST_ROUNDS = 3;
const FIND_ROUNDS = 5;
const FIND_LIMIT_MS = 50;
/** Names that are common in most code; the corpus adds rare ones. */
const COMMON = [
  'name',
  'Name',
  'String',
  'error',
  'err',
  'context',
  'Run',
  'New',
  'options',
  'value',
  'main',
];
const LIMITS = { maxDefinitions: 50, maxReferences: 200 };

interface Built {
  indexMs: number;
  firstMs: number;
  pushMs: number;
}

export function factMeasurements(corpus: Corpus, settings: SearchSettings): Measurement[] {
  const log = createLog({ level: 'warn', terminal: false });
  const signal = new AbortController().signal;
  const caller = { organizationId: 'bench', userId: 'bench', credentialId: 'bench' };
  const rounds: Built[] = [];
  let push: Promise<string> | undefined;

  async function build(): Promise<Built> {
    push ??= pushOf100(corpus);
    const after = await push;
    const folder = mkdtempSync(join(tmpdir(), 'countersign-facts-'));
    const { gitDir } = corpus;
    const [indexFolder, factsFolder] = [join(folder, 'one', 'index'), join(folder, 'one', 'facts')];
    const [search, facts] = [createCodeSearch({ log, settings }), createCodeFacts({ log, settings })];
    try {
      const built = {
        indexMs: await timed(() => search.index({ gitDir, indexFolder }, [corpus.head], { signal })),
        firstMs: await timed(() => facts.extract({ gitDir, factsFolder }, corpus.head, { signal })),
        pushMs: await timed(() => facts.extract({ gitDir, factsFolder }, after, { signal })),
      };
      rounds.push(built);
      return built;
    } finally {
      await Promise.all([search.close(), facts.close()]);
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const inTurn = (reading: (built: Built) => number) => {
    let round = 0;
    return async () => reading(rounds[round++] ?? (await build()));
  };
  const end = async () => undefined;

  return [
    {
      id: 'P22',
      what: `facts, first time (${corpus.name})`,
      unit: 'ms',
      referenceName: 'first index',
      target: { most: 6 },
      rounds: FIRST_ROUNDS,
      prepare: async () => ({
        ours: inTurn(({ firstMs }) => firstMs),
        reference: inTurn(({ indexMs }) => indexMs),
        end,
      }),
    },
    {
      id: 'P22',
      what: `facts after a push of 100 files (${corpus.name})`,
      unit: 'ms',
      referenceName: 'facts, first time',
      target: { most: 0.02 },
      rounds: FIRST_ROUNDS,
      prepare: async () => ({
        ours: inTurn(({ pushMs }) => pushMs),
        reference: inTurn(({ firstMs }) => firstMs),
        end,
      }),
    },
    {
      id: 'P24',
      what: `finding a symbol, p95 (${corpus.name})`,
      unit: 'ms',
      referenceName: 'the limit',
      target: { most: 1 },
      rounds: FIND_ROUNDS,
      async prepare() {
        const folder = mkdtempSync(join(tmpdir(), 'countersign-facts-'));
        const facts = createCodeFacts({ log, settings });
        const folders = { gitDir: corpus.gitDir, factsFolder: join(folder, 'one', 'facts') };
        const find = (name: string) =>
          facts.request('findSymbols', folders, { commit: corpus.head, name, ...LIMITS }, { caller, signal });
        await find(COMMON[0]!);
        return {
          async ours() {
            const times: number[] = [];
            for (const name of [...COMMON, ...corpus.identifiers]) times.push(await timed(() => find(name)));
            return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
          },
          reference: async () => FIND_LIMIT_MS,
          async end() {
            await facts.close();
            rmSync(folder, { recursive: true, force: true });
          },
        };
      },
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
