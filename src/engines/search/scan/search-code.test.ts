/** Searches stop at their limits, at the time limit and when cancelled, and report what they skipped. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { build, linesOf, makeFolder, openForTest, search } from '../../../../test/exactness/one-index.ts';
import { createRandom } from '../../../../test/exactness/random.ts';
import {
  type FixtureFile,
  type FixtureRepository,
  makeRepository,
  runFixtureGit,
} from '../../../../test/helpers/git/git-fixtures.ts';
import { MissingObject } from '../commits/commit-files.ts';
import type { RepositoryReader } from '../commits/repository-reader.ts';
import { scan } from './scan.ts';
import { emptyResult } from './scan-request.ts';
import { findTargets } from './targets.ts';

const MEBIBYTE = 1024 * 1024;

describe('many matching lines', () => {
  it.each([true, false])('of one file are all found, up to the limit (indexed: %s)', async (isIndexed) => {
    const { commit, reader } = await searchable(
      { 'a.txt': 'needle\n'.repeat(50_000), 'b.txt': 'needle\n' },
      isIndexed,
    );
    const all = await search(reader, { commit, pattern: 'n[e]edle' });
    expect(all).toMatchObject({ matchingLines: 50_001, moreLines: null, notSearched: [] });
    const some = await search(reader, { commit, pattern: 'n[e]edle', maxLines: 500 });
    const moreLines = { count: expect.any(Number), isLowerBound: true };
    expect(some).toMatchObject({ matchingLines: 500, moreLines, files: [{ path: 'a.txt' }] });
    const one = await search(reader, { commit, pattern: 'n[e]edle', path: 'a.txt', maxLines: 500 });
    expect(one).toMatchObject({ matchingLines: 500, moreLines });
  });

  it('of later files do not hide those of a file that is not indexed', async () => {
    const { commit, index, repository } = await searchable(
      { 'b.txt': 'needle\n'.repeat(30_000), 'c.txt': 'needle c\n'.repeat(30_000) },
      true,
    );
    const next = await repository.commit({ 'a.txt': 'needle a\n' });
    expect(next).not.toBe(commit);
    const reader = openForTest(repository.folder, index);
    const lines = linesOf(await search(reader, { commit: next, pattern: 'n[e]edle', maxLines: 500 }));
    expect(lines.slice(0, 2)).toEqual(['a.txt:1', 'b.txt:1']);
    expect(lines).toHaveLength(500);
  });

  it('are the first ones, in whatever order texts are scanned', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `f${String(index).padStart(2, '0')}`,
        `needle ${'x'.repeat(600_000)}\n`.repeat(2),
      ]),
    );
    const { commit, reader } = await searchable(files, true);
    const all = linesOf(await search(reader, { commit, pattern: 'nee[d]le' }));
    expect(all).toEqual(Object.keys(files).flatMap((name) => [`${name}:1`, `${name}:2`]));
    expect(linesOf(await search(reader, { commit, pattern: 'nee[d]le', maxLines: 51 }))).toEqual(
      all.slice(0, 51),
    );
  });
});

describe('pages of results', () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `${index % 3 === 0 ? 'test' : 'src'}/f${String(index).padStart(2, '0')}.ts`,
      `needle ${index % 7 === 0 ? '' : index}\nother\n`.repeat(index === 20 ? 25_000 : 1 + (index % 12)),
    ]),
  );
  const total = {
    lines: Object.values(files).reduce((sum, text) => sum + text.split('needle').length - 1, 0),
    files: 60,
    isLowerBound: false,
  };

  it.each([
    ['needle', true],
    ['n[e]edle', true],
    ['n[e]edle', false],
  ])('have every file once, and exact counts when asked (%s, indexed: %s)', async (pattern, isIndexed) => {
    const { commit, reader } = await searchable(files, isIndexed);
    const query = { commit, pattern, order: 'code_first' as const, linesPerFile: 3, maxLines: 40 };
    const paths: string[] = [];
    for (;;) {
      const page = await search(reader, { ...query, skipFiles: paths.length, countAll: paths.length === 0 });
      if (page.kind !== 'found') throw new Error(page.kind);
      if (paths.length === 0) expect(page.total).toEqual(total);
      for (const { lines, matchingLines, path } of page.files) {
        const all = files[path]!.split('needle').length - 1;
        if (path !== 'src/f20.ts') expect(matchingLines).toBe(all);
        const shown = lines.filter(({ isMatch }) => isMatch).length;
        if (path !== page.files.at(-1)!.path) expect(shown, path).toBe(Math.min(3, all));
        paths.push(path);
      }
      if (page.moreLines === null || page.files.length === 0) break;
    }
    const first = (path: string) => (path.startsWith('src/') ? `0${path}` : `1${path}`);
    expect(paths).toEqual(Object.keys(files).sort((one, other) => (first(one) < first(other) ? -1 : 1)));
  });

  it('continue within one file', async () => {
    const { commit, reader } = await searchable(files, true);
    const query = { commit, pattern: 'n[e]edle', path: 'src/f20.ts', maxLines: 20_000 };
    const first = await search(reader, query);
    const second = await search(reader, { ...query, skipLines: 20_000 });
    const lines = [first, second].flatMap(linesOf);
    expect(new Set(lines).size).toBe(25_000);
    expect(second).toMatchObject({ matchingLines: 5_000, moreLines: null });
    expect(await search(reader, { ...query, skipLines: 25_000 })).toMatchObject({
      files: [],
      moreLines: null,
    });
  });

  it('count what there is time for', async () => {
    const { commit, reader } = await searchable(files, true);
    const counted = await search(reader, { commit, pattern: 'e', maxLines: 0, countAll: true });
    expect(counted).toMatchObject({ files: [], total: { isLowerBound: false } });
    const query = { commit, pattern: 'e', maxLines: 0, countAll: true };
    const late = await search(reader, query, { timeLimitMs: 600_000, waitedMs: 600_000 });
    expect(late).toMatchObject({
      total: { isLowerBound: true },
      notSearched: [expect.stringMatching(/timed out/)],
    });
  });

  it('leave out what excluded globs match', async () => {
    const { commit, reader } = await searchable(files, true);
    const found = await search(reader, {
      commit,
      pattern: 'needle 1$',
      excludedGlobs: ['test/'],
      globs: ['*.ts'],
    });
    expect(linesOf(found)).toEqual(['src/f01.ts:1', 'src/f01.ts:3']);
  });
});

describe('code first', () => {
  const files = {
    'CHANGELOG.md': 'needle\n'.repeat(600),
    'package-lock.json': 'needle\n',
    'src/a.ts': 'needle a\n',
    'src/copied.ts': 'needle copied\n',
    'docs/copied.md': 'needle copied\n',
    'vendor/copied.ts': 'needle copied\n',
    'z.ts': 'needle z\n',
  };

  it.each([true, false])(
    'lists code, then documents, then generated files (indexed: %s)',
    async (isIndexed) => {
      const { commit, reader } = await searchable(files, isIndexed);
      for (const pattern of ['needle', 'n[e]edle']) {
        const outcome = await search(reader, { commit, pattern, order: 'code_first' });
        expect(outcome.kind === 'found' && outcome.files.map(({ path }) => path)).toEqual([
          ...['src/a.ts', 'src/copied.ts', 'z.ts'],
          ...['CHANGELOG.md', 'docs/copied.md'],
          ...['package-lock.json', 'vendor/copied.ts'],
        ]);
      }
    },
  );

  it('keeps code when results are truncated', async () => {
    const { commit, reader } = await searchable(files, true);
    const cut = await search(reader, { commit, pattern: 'n[e]edle', order: 'code_first', maxLines: 4 });
    expect(linesOf(cut)).toEqual(['src/a.ts:1', 'src/copied.ts:1', 'z.ts:1', 'CHANGELOG.md:1']);
    expect(linesOf(await search(reader, { commit, pattern: 'n[e]edle', maxLines: 2 }))).toEqual([
      'CHANGELOG.md:1',
      'CHANGELOG.md:2',
    ]);
  });
});

describe('a very long line', () => {
  it.each(['n[e]edle \\d+ end', '(?i)NEEDLE [0-9]+ x*END', 'needle.*(end|never)', 'begin.*needle'])(
    'is found wherever the words of %s are in it',
    async (pattern) => {
      const random = createRandom(7);
      const filler = Array.from({ length: 40_000 }, () => random.pick([...'abdeln 01'])).join('');
      const lengths = [...Array(40).keys()].flatMap((step) => [step, 8_180 + step, 16_360 + step]);
      const files = Object.fromEntries(
        lengths.map((before) => [
          `f${String(before).padStart(5, '0')}`,
          `begin${filler.slice(0, before)}needle 12 end${filler.slice(before)}`,
        ]),
      );
      const { commit, reader } = await searchable({ ...files, 'without.txt': `begin${filler}end` }, true);
      const found = linesOf(await search(reader, { commit, pattern }));
      expect(found).toEqual(
        Object.keys(files)
          .sort()
          .map((name) => `${name}:1`),
      );
    },
  );
});

describe('files that are not searched', () => {
  it.each([true, false])('are reported: too large (indexed: %s)', async (isIndexed) => {
    const { commit, reader } = await searchable(
      { 'large/text.txt': Buffer.alloc(17 * MEBIBYTE, 'needle\n'), 'small.txt': 'needle\n' },
      isIndexed,
    );
    for (const pattern of ['needle', 'n[e]edle', '', 'zzqx']) {
      const outcome = await search(reader, { commit, pattern });
      expect(outcome).toMatchObject({
        notSearched: ['1 file was not searched: larger than 16 MiB'],
        matchingLines: pattern === 'zzqx' ? 0 : 1,
      });
    }
    expect(await search(reader, { commit, pattern: 'needle', path: 'small.txt' })).toMatchObject({
      notSearched: [],
    });
  });

  it('are reported: missing content', async () => {
    const repository = await makeRepository({ 'here.txt': 'needle here\n' });
    onTestFinished(() => repository.remove());
    const lost = (
      await runFixtureGit(repository.folder, ['hash-object', '-w', '--stdin'], Buffer.from('needle lost\n'))
    )
      .toString()
      .trim();
    const here = await repository.git('rev-parse', 'main:here.txt');
    const listing = Buffer.from(`100644 blob ${here}\there.txt\n100644 blob ${lost}\tlost.txt\n`);
    const tree = (await runFixtureGit(repository.folder, ['mktree'], listing)).toString().trim();
    const commit = (await runFixtureGit(repository.folder, ['commit-tree', '-m', 'x', tree]))
      .toString()
      .trim();
    await rm(join(repository.folder, 'objects', lost.slice(0, 2), lost.slice(2)));
    const index = makeFolder();
    for (const isIndexed of [false, true]) {
      if (isIndexed) await build(repository.folder, index, [commit]);
      const reader = openForTest(repository.folder, index);
      for (const pattern of ['needle', 'n[e]edle', 'needle']) {
        const outcome = await search(reader, { commit, pattern });
        expect(linesOf(outcome)).toEqual(['here.txt:1']);
        expect(outcome).toMatchObject({
          notSearched: ['1 file was not searched: content missing from the repository'],
        });
      }
    }
    await expect(
      search(openForTest(repository.folder, index), { commit: lost, pattern: 'x' }),
    ).rejects.toThrow(MissingObject);
  });
});

describe('a search that takes too long', () => {
  it('returns partial results and reports how many files were not searched', async () => {
    const { commit, reader } = await slowRepository(true);
    const outcome = await search(reader, { commit, pattern: SLOW }, { timeLimitMs: 50 });
    expect(outcome.kind === 'found' && outcome.notSearched).toEqual([
      expect.stringMatching(
        /^the search timed out after 0\.05 seconds: [1-9]\d* files? (was|were) not searched$/,
      ),
    ]);
    await untilNoRipgrep();
  });

  it('returns the lines found so far', async () => {
    const quick = `${'x'.repeat(99)}\n`.repeat(50_000);
    const match = `a${'b'.repeat(300)}123\n`;
    const { commit, reader } = await searchable({ 'a.txt': quick + match, ...slowFiles() }, true);
    const outcome = await search(reader, { commit, pattern: SLOW }, { timeLimitMs: 5000 });
    expect(linesOf(outcome)).toEqual(['a.txt:50001']);
    expect(outcome).toMatchObject({
      notSearched: [
        expect.stringMatching(
          /^the search timed out after 5 seconds: [1-9]\d* files? (was|were) not searched$/,
        ),
      ],
    });
    await untilNoRipgrep();
  });

  it('includes the time spent waiting for its turn', async () => {
    const { commit, reader } = await slowRepository(true);
    const waited = { timeLimitMs: 600_000, waitedMs: 600_000 };
    expect(await search(reader, { commit, pattern: SLOW }, waited)).toMatchObject({
      matchingLines: 0,
      notSearched: ['the search timed out after 600 seconds: 40 files were not searched'],
    });
  });
});

describe('a cancelled search', () => {
  it('rejects with the reason and leaves no process behind', async () => {
    for (const isIndexed of [true, false]) {
      const { commit, reader } = await slowRepository(isIndexed);
      const controller = new AbortController();
      const searching = search(reader, { commit, pattern: SLOW }, { signal: controller.signal });
      await vi.waitFor(() => expect(ripgreps()).toBeGreaterThan(0), { timeout: 30_000, interval: 1 });
      const reason = new Error('gone');
      controller.abort(reason);
      await expect(searching).rejects.toBe(reason);
      await untilNoRipgrep();
    }
  });

  it('does not start when it was already cancelled', async () => {
    const { commit, reader } = await searchable({ 'a.txt': 'a\n' }, true);
    await expect(
      search(reader, { commit, pattern: 'a.' }, { signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
  });
});

describe('an index that changes while it is searched', () => {
  it('never changes what is found', async () => {
    const repository = await makeRepository(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`f${index}`, `needle ${index} ${'x'.repeat(150_000)}\n`]),
      ),
    );
    onTestFinished(() => repository.remove());
    const commits = [await repository.git('rev-parse', 'main')];
    for (let push = 0; push < 8; push += 1) {
      commits.push(await repository.commit({ [`pushed-${push}`]: `needle pushed ${push}\n` }));
    }
    const head = commits.at(-1)!;
    const index = makeFolder();
    const reader = openForTest(repository.folder, index);
    let isChanging = true;
    const changing = (async () => {
      for (let round = 0; round < 2; round += 1) {
        for (const commit of commits) await build(repository.folder, index, [commit]);
        rmSync(index, { recursive: true });
      }
    })().finally(() => {
      isChanging = false;
    });
    let searches = 0;
    const lanes = Array.from({ length: 3 }, async (_, lane) => {
      while (isChanging) {
        const pattern = ['needle', 'n[e]edle', 'pushed|needle \\d'][lane]!;
        expect(linesOf(await search(reader, { commit: head, pattern }))).toHaveLength(68);
        searches += 1;
      }
    });
    await Promise.all([changing, ...lanes]);
    expect(searches).toBeGreaterThan(0);
  });

  it('stays readable for a search that uses it after another search found it gone', async () => {
    const { commit, index, reader } = await searchable({ 'a.txt': 'needle\n' }, true);
    await reader.withIndexedFiles(commit, async ({ set }) => {
      rmSync(index, { recursive: true });
      expect(await search(reader, { commit, pattern: 'needle' })).toMatchObject({ isIndexed: false });
      expect(set.shards[0]!.readText(0).toString()).toBe('needle\n');
    });
  });

  it('stays searchable for a long search although its files are deleted', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f${index}`, `needle ${index}${' x'.repeat(300_000)}\n`]),
    );
    const { commit, index, reader } = await searchable(files, true);
    await reader.withIndexedFiles(commit, async (indexed) => {
      rmSync(index, { recursive: true });
      const { targets } = findTargets(
        indexed,
        { query: { kind: 'all' }, words: [], literal: null },
        { from: 0, to: indexed.files.count },
      );
      const result = emptyResult(targets.length);
      const { signal } = new AbortController();
      const limits = { enoughLines: 1000, signal };
      await scan(
        { reader, set: indexed.set, pattern: 'n[e]edle', literal: null, targets, ...limits },
        result,
      );
      expect(result.places.map((places) => places?.length)).toEqual(targets.map(() => 1));
    });
  });

  it('can be closed during a search, which still succeeds', async () => {
    const { commit, reader } = await searchable({ 'a.txt': `needle ${'x '.repeat(MEBIBYTE)}\n` }, true);
    const searching = search(reader, { commit, pattern: 'needle.*x $' });
    reader.close();
    expect(linesOf(await searching)).toEqual(['a.txt:1']);
  });
});

describe('open files', () => {
  it('do not accumulate over many searches, builds and index changes', async () => {
    const { commit, index, reader, repository } = await searchable({ 'a.txt': 'needle\n' }, true);
    const round = async () => {
      rmSync(index, { recursive: true });
      expect(linesOf(await search(reader, { commit, pattern: 'needle' }))).toHaveLength(1);
      await build(repository.folder, index, [commit]);
      expect(linesOf(await search(reader, { commit, pattern: 'n[e]edle' }))).toHaveLength(1);
    };
    for (let count = 0; count < 3; count += 1) await round();
    const before = openFiles();
    for (let count = 0; count < 8; count += 1) await round();
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 5), { timeout: 30_000 });
  });
});

/** ripgrep has to track hundreds of possible matches at every byte of these texts: about 1 MB per second. */
const SLOW = 'a[a-z ]{300}[^a-z ]{3}';

function slowFiles(): Record<string, string> {
  const random = createRandom(1);
  const text = Array.from({ length: 500_000 }, () => random.pick(['a', 'b'])).join('');
  return Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, `${index} ${text}\n`]));
}

/** One repository and one index for all tests that only read them: making them takes seconds. */
let slow: Promise<{ repository: FixtureRepository; commit: string; index: string }> | undefined;

async function makeSlow() {
  const repository = await makeRepository(slowFiles());
  const [commit, index] = [await repository.git('rev-parse', 'main'), join(repository.parent, 'index')];
  await build(repository.folder, index, [commit]);
  return { repository, commit, index };
}

async function slowRepository(isIndexed: boolean) {
  slow ??= makeSlow();
  const { commit, index, repository } = await slow;
  return { commit, reader: openForTest(repository.folder, isIndexed ? index : makeFolder()) };
}

afterAll(async () => (await slow)?.repository.remove());

async function searchable(files: Record<string, FixtureFile>, isIndexed: boolean) {
  const repository = await makeRepository(files);
  onTestFinished(() => repository.remove());
  const commit = await repository.git('rev-parse', 'main');
  const index = makeFolder();
  if (isIndexed) await build(repository.folder, index, [commit]);
  const reader: RepositoryReader = openForTest(repository.folder, index);
  return { commit, index, reader, repository };
}

/** The number of ripgrep processes started by this process that still exist. */
function ripgreps(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, state, parent] = /^\d+ \(rg\) (\w) (\d+)/.exec(stat) ?? [];
      return Number(parent) === process.pid && state !== 'Z';
    } catch {
      return false;
    }
  }).length;
}

function untilNoRipgrep(): Promise<void> {
  return vi.waitFor(() => expect(ripgreps()).toBe(0), { timeout: 30_000, interval: 10 });
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}
