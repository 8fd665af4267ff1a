/**
 * P25: whether 50 open pull requests merge after a push of their base branch, with the files and lines that conflict, compared with
 * `git merge-tree --stdin` over the same 50 pairs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodeSearch } from '../src/engines/search/index.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { makeRepository } from '../test/helpers/git/git-fixtures.ts';
import type { Measurement } from './measure.ts';

const FILES = 2000;
const LINES = 200;
const PULL_REQUESTS = 50;
const FILES_EACH = 20;
const CHANGED_ON_BASE = 300;
/** These also change what the base changed. */
const CONFLICTING = 5;
const WARM_UP_ROUNDS = 3;
const LIMITS = { maxRunning: 4, maxRunningPerCredential: 4, maxWaiting: 10, maxWaitingPerCredential: 10 };

export const mergeability: Measurement = {
  id: 'P25',
  what: 'mergeability of 50 open pull requests',
  unit: 'ms',
  referenceName: 'git merge-tree --stdin',
  target: { most: 1.5 },
  rounds: 15,
  async prepare() {
    const repository = await makeRepository(
      Object.fromEntries(Array.from({ length: FILES }, (_, file) => [pathOf(file), textOf(file)])),
    );
    const gitDir = repository.folder;
    const from = await repository.git('rev-parse', 'main');
    const heads: string[] = [];
    for (let number = 0; number < PULL_REQUESTS; number += 1) {
      const own = Array.from({ length: FILES_EACH }, (_, at) => CHANGED_ON_BASE + number * FILES_EACH + at);
      // Changes of the same file in another place merge; those of the same line don't.
      const line = number < CONFLICTING ? 5 : 150;
      const changes = { ...changed(own, 100, number), ...changed([number], line, number) };
      heads.push(await repository.commit(changes, { branch: `change-${number}`, from }));
    }
    const onBase = Array.from({ length: CHANGED_ON_BASE }, (_, file) => file);
    const base = await repository.commit(changed(onBase, 5, -1), { branch: 'main' });

    const search = createCodeSearch({
      log: createLog({ level: 'silent', terminal: false }),
      settings: { indexDiskBytes: 1e9, searchTimeoutMs: 60_000, searchLimits: LIMITS },
    });
    const call = {
      caller: { organizationId: 'o', userId: 'u', credentialId: 'c' },
      signal: new AbortController().signal,
    };
    const folders = { gitDir, indexFolder: join(gitDir, 'index') };
    const ours = async () => {
      const started = performance.now();
      const merges = await search.request('mergeTrees', folders, { base, heads }, call);
      const took = performance.now() - started;
      const conflicts = merges.filter(({ kind }) => kind === 'conflicts').length;
      const clean = merges.filter(({ kind }) => kind === 'clean').length;
      if (conflicts !== CONFLICTING || clean !== PULL_REQUESTS - CONFLICTING)
        throw new Error(`${conflicts} conflict and ${clean} don’t.`);
      return took;
    };
    const input = heads.map((head) => `${base} ${head}\n`).join('');
    const reference = async () => {
      // As ours: what git writes is new each time.
      const objects = join(mkdtempSync(join(tmpdir(), 'countersign-bench-')), 'objects');
      mkdirSync(objects);
      const env = {
        ...process.env,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, 'objects'),
      };
      const started = performance.now();
      const { status } = spawnSync('git', ['-C', gitDir, 'merge-tree', '--stdin'], { input, env });
      const took = performance.now() - started;
      rmSync(join(objects, '..'), { recursive: true });
      if (status !== 0) throw new Error(`git merge-tree exited with ${status}.`);
      return took;
    };
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await ours();
    const end = async () => {
      await search.close();
      await repository.remove();
    };
    return { ours, reference, end };
  },
};

const pathOf = (file: number) => `src/part${file % 50}/file${file}.ts`;

function linesOf(file: number): string[] {
  return Array.from({ length: LINES }, (_, line) => `  const value${line} = compute${file}(${line});`);
}

const textOf = (file: number) => `${linesOf(file).join('\n')}\n`;

function changed(files: number[], line: number, by: number): Record<string, string> {
  return Object.fromEntries(
    files.map((file) => [
      pathOf(file),
      `${linesOf(file).with(line, `  const changed = by(${by}, ${file});`).join('\n')}\n`,
    ]),
  );
}
