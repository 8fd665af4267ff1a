/** Facts of commits: read through real processes, kept per file, extracted only once, and repaired. */
import { mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import type { FactRequestName, FactRequests } from '../../platform/core/ports/code-facts.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';
import { type CodeFacts, createCodeFacts } from './create-code-facts.ts';
import { extractFacts } from './extract-facts.ts';
import type { FactFolders } from './messages.ts';
import { MAX_SMALL_SHARDS } from './store/maintain.ts';

const LOG = createLog({ level: 'silent', terminal: false });
const call: Call = {
  caller: { organizationId: 'o', userId: 'u', credentialId: 'c' },
  signal: new AbortController().signal,
};

function start(): CodeFacts {
  const searchLimits = {
    maxRunning: 4,
    maxRunningPerCredential: 4,
    maxWaiting: 10_000,
    maxWaitingPerCredential: 10_000,
  };
  const settings = { indexDiskBytes: 1e9, searchTimeoutMs: 60_000, searchLimits };
  return createCodeFacts({ log: LOG, settings });
}

const makeFolder = () => join(mkdtempSync(join(tmpdir(), 'countersign-facts-')), 'facts');

let facts: CodeFacts;
beforeAll(() => {
  facts = start();
});
afterAll(() => facts.close());

const ask = <Name extends FactRequestName>(
  name: Name,
  folders: FactFolders,
  params: FactRequests[Name]['params'],
) => facts.request(name, folders, params, call);

const LIMITS = { maxDefinitions: 10, maxReferences: 10 };

describe('facts of a commit', () => {
  it('finds definitions and references, with tests and generated files last', async () => {
    const repository = await makeRepository({
      'a_test.go': 'package a\nfunc TestOpen() { Open() }\nfunc Open() {}\n',
      'b/open.go': 'package b\n\nfunc Open() {\n\tOpen()\n}\n',
      'vendor/c/open.go': 'package c\nfunc Open() {}\n',
      'd.ts': '// Open\nconst text = "Open";\nexport function Opened() { return Open(1, Open); }\n',
    });
    const folders = { gitDir: repository.folder, factsFolder: makeFolder() };
    const commit = await repository.git('rev-parse', 'main');
    const found = await ask('findSymbols', folders, { commit, name: 'Open', ...LIMITS });
    expect(found.definitions.map(({ endLine, line, path }) => `${path}:${line}-${endLine}`)).toEqual([
      'b/open.go:3-5',
      'a_test.go:3-3',
      'vendor/c/open.go:2-2',
    ]);
    expect(found.references).toEqual([
      { path: 'b/open.go', line: 4 },
      { path: 'd.ts', line: 3 },
      { path: 'a_test.go', line: 2 },
    ]);
    expect(
      await ask('findSymbols', folders, { commit, name: 'Open', maxDefinitions: 1, maxReferences: 2 }),
    ).toEqual({
      definitions: found.definitions.slice(0, 1),
      references: found.references.slice(0, 2),
      moreDefinitions: 2,
      moreReferences: 1,
    });
    expect(await ask('findSymbols', folders, { commit, name: 'Ope', ...LIMITS })).toEqual({
      definitions: [],
      references: [],
      moreDefinitions: 0,
      moreReferences: 0,
    });
    expect(await ask('fileFacts', folders, { commit, path: 'b' })).toBeNull();
  });

  it('equals what is extracted from a checkout, at every commit, whatever was extracted before', async () => {
    const files: Record<string, string> = {
      'src/a.ts': "import { b } from './b.ts';\nexport const a = () => b(1);\n",
      'src/b.ts': 'export function b(x: number) { return x; }\n',
      'main.py': 'import os\ndef main(): print(os.environ["HOME"])\n',
      'README.md': '# Sample\n\nText.\n',
      'data.bin': 'text\u0000binary',
    };
    const repository = await makeRepository(files);
    const commits = [{ commit: await repository.git('rev-parse', 'main'), files: { ...files } }];
    for (let push = 0; push < MAX_SMALL_SHARDS + 3; push += 1) {
      const changed = { [`src/n${push % 4}.go`]: `package n\nfunc F${push}() { G${push}() }\n` };
      Object.assign(files, changed);
      commits.push({ commit: await repository.commit(changed), files: { ...files } });
    }
    const grown = { gitDir: repository.folder, factsFolder: makeFolder() };
    for (const { commit } of commits) await ask('commitFacts', grown, { commit });
    // Each push made a shard, and they were merged.
    expect(readdirSync(grown.factsFolder).length).toBeLessThanOrEqual(MAX_SMALL_SHARDS + 1);
    const fresh = { gitDir: repository.folder, factsFolder: makeFolder() };
    for (const { commit, files: present } of [commits[0]!, commits[5]!, commits.at(-1)!]) {
      for (const [path, text] of Object.entries(present)) {
        const { words: _words, ...facts } = await extractFacts({ path, text });
        const expected = text.includes('\0') ? undefined : facts;
        const read = await ask('fileFacts', grown, { commit, path });
        if (expected) expect(read).toEqual(expected);
        else expect(read).toMatchObject({ language: null, lines: 0 });
      }
      const whole = await ask('commitFacts', grown, { commit });
      expect(whole).toEqual(await ask('commitFacts', fresh, { commit }));
      expect(whole.files).toBe(Object.keys(present).length);
    }
  });

  it('counts languages, folders and the activity of the last year', async () => {
    const repository = await makeRepository({
      'cmd/tool/main.go': 'package main\n\nfunc main() {}\n',
      'vendor/x/x.go': 'package x\n',
      'README.md': '# Title\n',
    });
    const commit = await repository.commit({ 'cmd/tool/more.go': 'package main\n' });
    const folders = { gitDir: repository.folder, factsFolder: makeFolder() };
    const { activity, languages, folders: counted, leftOut } = await ask('commitFacts', folders, { commit });
    expect(languages).toEqual([
      { language: 'go', files: 2, lines: 4 },
      { language: 'markdown', files: 1, lines: 1 },
    ]);
    expect(counted).toEqual([
      { path: 'cmd', files: 2, lines: 4 },
      { path: 'cmd/tool', files: 2, lines: 4 },
    ]);
    expect(activity.folders.map(({ commits, path }) => `${path} ${commits}`)).toEqual([
      'cmd 2',
      'cmd/tool 2',
      'vendor 1',
      'vendor/x 1',
    ]);
    expect(activity.people.map(({ commits }) => commits)).toEqual([2]);
    expect(leftOut).toEqual([]);
  });

  it('answers completely while the commit is being extracted, and when that ends', async () => {
    const repository = await makeRepository({ 'a.go': 'package a\n' });
    const folders = { gitDir: repository.folder, factsFolder: makeFolder() };
    for (let round = 0; round < 10; round += 1) {
      const name = `Open${round}`;
      const commit = await repository.commit({ 'a.go': `package a\nfunc ${name}() {}\n` });
      let isExtracted = false;
      const extracting = facts.extract(folders, commit, { signal: call.signal }).then(() => {
        isExtracted = true;
      });
      const asked: Promise<FactRequests['findSymbols']['result']>[] = [];
      while (!isExtracted) {
        asked.push(ask('findSymbols', folders, { commit, name, ...LIMITS }));
        await setTimeout(1);
      }
      await extracting;
      for (const found of await Promise.all(asked)) expect(found.definitions).toHaveLength(1);
    }
  });

  it('extracts a damaged shard again', async () => {
    const repository = await makeRepository({ 'a.py': 'def needle(): pass\n' });
    const folders = { gitDir: repository.folder, factsFolder: makeFolder() };
    const commit = await repository.git('rev-parse', 'main');
    const query = { commit, name: 'needle', ...LIMITS };
    expect((await ask('findSymbols', folders, query)).definitions).toHaveLength(1);
    const [shard] = readdirSync(folders.factsFolder);
    truncateSync(join(folders.factsFolder, shard!), 100);
    const other = start();
    try {
      const again = await other.request('findSymbols', folders, query, call);
      expect(again.definitions).toHaveLength(1);
      expect(readdirSync(folders.factsFolder)).not.toContain(shard);
    } finally {
      await other.close();
    }
  });

  it('survives hostile files and says what is missing', async () => {
    const brackets = `${'['.repeat(100)}\n`.repeat(2000);
    const repository = await makeRepository({
      'nested.js': brackets,
      'nested.json': brackets,
      'nested.yaml': brackets,
      'bomb.yaml': `a: &a [x, x]\n${'bcdefghij'.replace(/./g, (letter) => `${letter}: &${letter} [*${prior(letter)}, *${prior(letter)}]\n`)}`,
      'large.json': `[${'{"a": [1, 2, 3]},'.repeat(600_000)}0]`,
      'README.md': 'x'.repeat(50_000_000),
      'package.json': '{"name": "root", "workspaces": ["packages/*", ".", "packages/../packages/*"]}',
      'packages/a/package.json': '{"name": "a", "workspaces": ["../.."], "dependencies": {"a": "*"}}',
      'chain.js': `export const sum = ${'1 +\n'.repeat(100_000)}1;\n`,
      'deep.py': `x = (${'-\n'.repeat(100_000)}1)\n`,
      'quotes.go': `package a\nvar x = \`${'{\n'.repeat(100_000)}\nfunc F() {}\n`,
      'ok.js': 'export function fine() {}\n',
    });
    const folders = { gitDir: repository.folder, factsFolder: makeFolder() };
    const commit = await repository.git('rev-parse', 'main');
    const { leftOut } = await ask('commitFacts', folders, { commit });
    expect(leftOut).toContain('2 files were not read: larger than 1 MiB');
    expect(leftOut.join('\n')).toMatch(/nested too deeply/);
    const found = await ask('findSymbols', folders, { commit, name: 'fine', ...LIMITS });
    expect(found.definitions).toHaveLength(1);
  }, 60_000);
});

const prior = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 1);
