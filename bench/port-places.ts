/** P17: following 500 places across a push that changed 1,000 files, compared with one `git diff` of the same push. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { portPlaces } from '../src/engines/positions/index.ts';
import { createCodeSearch } from '../src/engines/search/index.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { type FixtureFile, makeRepository } from '../test/helpers/git/git-fixtures.ts';
import type { Measurement } from './measure.ts';

const FILES = 1000;
const PLACES = 500;
const LINES = 200;
const WARM_UP_ROUNDS = 5;
const LIMITS = { maxRunning: 4, maxRunningPerCredential: 4, maxWaiting: 10, maxWaitingPerCredential: 10 };

export const portDiscussions: Measurement = {
  id: 'P17',
  what: 'follow 500 places, 1,000 files',
  unit: 'ms',
  referenceName: 'git diff',
  target: { most: 3 },
  rounds: 21,
  async prepare() {
    const repository = await makeRepository(Object.fromEntries(versions(before)));
    const gitDir = repository.folder;
    const from = await repository.git('rev-parse', 'main');
    const to = await repository.commit([
      ...versions(after),
      // Every twentieth file is renamed, and what every tenth one loses moves to another file.
      ...Array.from({ length: FILES / 20 }, (_, index): [string, FixtureFile] => [pathOf(index * 20), null]),
    ]);
    const search = createCodeSearch({
      log: createLog({ level: 'silent', terminal: false }),
      settings: { indexDiskBytes: 1e9, searchTimeoutMs: 60_000, searchLimits: LIMITS },
    });
    const call = {
      caller: { organizationId: 'o', userId: 'u', credentialId: 'c' },
      signal: new AbortController().signal,
    };
    const folders = { gitDir, indexFolder: join(gitDir, 'index') };
    const places = Array.from({ length: PLACES }, (_, index) => {
      const file = pathOf((index * 7) % FILES);
      const startLine = 1 + ((index * 31) % (LINES - 4));
      return { file, startLine, endLine: startLine + (index % 4), code: '' };
    });
    const paths = [...new Set(places.map(({ file }) => file))];

    const ours = async () => {
      const started = performance.now();
      const files = await search.request('hunks', folders, { from, to, paths }, call);
      const ported = portPlaces(places, files);
      const took = performance.now() - started;
      const outcomes = new Set(ported.map(({ outcome }) => outcome));
      if (outcomes.size !== 4) throw new Error(`Only ${[...outcomes].join(', ')} were found.`);
      return took;
    };
    const reference = async () => {
      const started = performance.now();
      const { status } = spawnSync('git', ['-C', gitDir, 'diff', from, to], { maxBuffer: 1 << 28 });
      if (status !== 0) throw new Error(`git diff exited with ${status}.`);
      return performance.now() - started;
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
const lineOf = (file: number, line: number) =>
  line % 5 === 0 ? '}' : `  const value${line} = compute${file}(input${line % 7}, ${line});`;

function versions(make: (file: number) => string[]): [string, FixtureFile][] {
  return Array.from({ length: FILES }, (_, file) => {
    const isRenamed = make === after && file % 20 === 0;
    return [isRenamed ? `moved/${pathOf(file)}` : pathOf(file), make(file).join('\n')];
  });
}

function before(file: number): string[] {
  return Array.from({ length: LINES }, (_, line) => lineOf(file, line));
}

/** Some lines edited, some inserted, ten removed; of every tenth file, the removed ones are in the next file. */
function after(file: number): string[] {
  const lines = before(file);
  for (let line = 7; line < LINES; line += 40) lines[line] = lines[line]!.replace('compute', 'calculate');
  lines.splice(60, 10);
  lines.splice(20, 0, `  // Inserted into ${file}.`, `  check(${file});`);
  if (file % 10 === 1) lines.push(...before(file - 1).slice(60, 70));
  return lines;
}
