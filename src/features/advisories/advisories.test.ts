/** Advisories are imported and compared with versions. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { type AddedPackage, ECOSYSTEMS } from '../../engines/review/contract/code-review.ts';
import { inTransaction, openDatabase } from '../../platform/db/index.ts';
import { tryLockImports } from './advisory-store.ts';
import { compareVersions } from './compare-versions.ts';
import { findVulnerable, importAdvisories, selectLastImport } from './index.ts';
import { isAffected } from './is-affected.ts';
import { readAdvisory } from './read-advisory.ts';

/** In ascending order. */
const SEMANTIC =
  '0.9.9 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0-0 2.0.0';
const PYTHON = '1.0.dev1 1.0a1 1.0a2 1.0b1 1.0rc1 1.0 1.0.post1 1.0.1 1.9 1.10';
const RUBY = '5.2.0.alpha 5.2.0.beta2 5.2.0.dev 5.2.0.p1 5.2.0.pre2 5.2.0.rc1 5.2.0 5.2.1 5.10';
const PHP = '4.4.0-alpha1 4.4.0-BETA2 4.4.0-RC1 4.4.0 4.4.0-p1 4.4.1';

describe('the order of versions', () => {
  it.each([
    ['npm', SEMANTIC],
    ['Go', '0.0.0-20200101000000-abcdefabcdef 0.0.0-20210101000000-abcdefabcdef 0.0.1 1.0.0-rc1 1.0.0'],
    ['crates.io', SEMANTIC],
    ['PyPI', PYTHON],
    ['RubyGems', RUBY],
    ['Packagist', PHP],
  ] as const)('of %s', (ecosystem, list) => {
    const versions = list.split(' ');
    for (const [index, one] of versions.entries())
      for (const [at, other] of versions.entries())
        expect(Math.sign(compareVersions(ecosystem, one, other)!), `${one} ${other}`).toBe(
          Math.sign(index - at),
        );
  });

  it('ignores what does not count, and says nothing where it is not clear', () => {
    expect(compareVersions('npm', '1.0.0+a', '1.0.0+b')).toBe(0);
    expect(compareVersions('PyPI', '1.0', '1.0.0')).toBe(0);
    expect(compareVersions('npm', 'v1.2.3', '1.2.3')).toBe(0);
    for (const [ecosystem, one, other] of [
      ['Packagist', 'dev-main', '1.0'],
      ['Packagist', '1.0', '1.0-custom'],
      ['Packagist', '2.x-dev', '2.3.1'],
      ['PyPI', '1!1.0', '2.0'],
      ['npm', '1.0.0foo', '1.0.1'],
    ] as const)
      expect(compareVersions(ecosystem, one, other), one).toBeUndefined();
  });

  it('is the same both ways', () => {
    const version = fc
      .tuple(
        fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '-rc.1', '-alpha', 'a1', '.post2', '+x', '-', '-0', '.rc1'),
      )
      .map(([numbers, end]) => `${numbers.join('.')}${end}`);
    fc.assert(
      fc.property(fc.constantFrom(...ECOSYSTEMS), version, version, (ecosystem, one, other) => {
        const [there, back] = [
          compareVersions(ecosystem, one, other),
          compareVersions(ecosystem, other, one),
        ];
        expect(back === undefined ? undefined : Math.sign(back) + 0).toBe(
          there === undefined ? undefined : 0 - Math.sign(there),
        );
      }),
    );
  });
});

describe('an affected version', () => {
  const affects = (events: object[], version: string, versions: string[] = []) =>
    isAffected({ ecosystem: 'npm', ranges: [events], versions }, version);

  it('is between where it was introduced and where it was fixed, whatever the order of events', () => {
    const events = [{ fixed: '1.5.0' }, { introduced: '2.0.0' }, { introduced: '1.0.0' }, { fixed: '2.1.0' }];
    for (const [version, fixedIn] of [
      ['0.9.0', undefined],
      ['1.0.0-rc.1', undefined],
      ['1.0.0', '1.5.0'],
      ['1.4.9', '1.5.0'],
      ['1.5.0', undefined],
      ['2.0.5', '2.1.0'],
      ['2.1.0', undefined],
    ] as const)
      expect(affects(events, version)?.fixedIn, version).toBe(fixedIn);
  });

  it('can be every one, the last affected one, or one of a list', () => {
    expect(affects([{ introduced: '0' }], '0.0.1')).toEqual({ fixedIn: null });
    const last = [{ introduced: '0' }, { last_affected: '1.2.0' }];
    expect([affects(last, '1.2.0'), affects(last, '1.2.1')]).toEqual([{ fixedIn: null }, null]);
    expect(affects([], '1.0.0', ['1.0.0'])).toEqual({ fixedIn: null });
    expect(affects([], '1.0.1', ['1.0.0'])).toBeNull();
  });

  it('is not claimed where an event can’t be compared', () => {
    expect(affects([{ introduced: '0' }, { fixed: 'the next one' }], '1.0.0')).toBeNull();
    for (const version of ['workspace', 'file:packages/a', 'git+ssh://example.com/a'])
      for (const events of [[{ introduced: '0' }], [{ introduced: '0' }, { fixed: '2.0.0' }]])
        expect(affects(events, version), version).toBeNull();
  });
});

const osv = (id: string, affected: object[], more: object = {}) =>
  JSON.stringify({ id, modified: '2026-01-01T00:00:00Z', affected, ...more });
const until = (fixed: string) => [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }];
const lodash = (fixed: string) => ({ package: { ecosystem: 'npm', name: 'lodash' }, ranges: until(fixed) });

it('reads what an advisory says about packages that reviews know', () => {
  const python = { package: { ecosystem: 'PyPI', name: 'Zope.Interface' }, versions: ['1.0'] };
  const git = { ...lodash('3.0.0'), ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] };
  const others = { package: { ecosystem: 'Debian:12', name: 'lodash' }, ranges: until('9') };
  const text = osv('GHSA-1', [lodash('2.0.0'), python, git, others], {
    summary: 'Bad `things`\n\u0000\u001b[31m happen',
    aliases: ['CVE-1'],
    database_specific: { severity: 'MODERATE' },
  });
  const common = {
    id: 'GHSA-1',
    summary: 'Bad things [31m happen',
    severity: 'moderate',
    aliases: ['CVE-1'],
  };
  expect(readAdvisory(text)).toEqual([
    ...[
      { ...common, ecosystem: 'npm', package: 'lodash', ranges: [until('2.0.0')[0]!.events], versions: [] },
    ],
    ...[{ ...common, ecosystem: 'PyPI', package: 'zope-interface', ranges: [], versions: ['1.0'] }],
  ]);
  expect(readAdvisory(osv('X', [lodash('1')], { withdrawn: '2026-01-01T00:00:00Z' }))).toEqual([]);
  // The GitHub Advisory Database closes open ranges elsewhere.
  const rangesOf = (last: unknown, events: object[] = [{ introduced: '0' }]) =>
    readAdvisory(
      osv('A', [
        {
          ...{ package: { ecosystem: 'npm', name: 'xlsx' }, ranges: [{ type: 'ECOSYSTEM', events }] },
          database_specific: { last_known_affected_version_range: last },
        },
      ]),
    )![0]!.ranges[0];
  expect(rangesOf('< 0.20.2')).toEqual([{ introduced: '0' }, { fixed: '0.20.2' }]);
  expect(rangesOf('<= 0.20.1')).toEqual([{ introduced: '0' }, { last_affected: '0.20.1' }]);
  const closed = [{ introduced: '0', fixed: '2' }];
  expect(rangesOf('< 1', closed)).toEqual([{ introduced: '0' }, { fixed: '2' }]);
  for (const last of [null, 3, '> 1', '']) expect(rangesOf(last)).toEqual([{ introduced: '0' }]);
  const odd = { database_specific: { severity: { toString: 1 } }, summary: 'a\u202eb' };
  expect(readAdvisory(`\ufeff${osv('A', [lodash('1')], odd)}`)).toMatchObject([
    { severity: null, summary: 'a b' },
  ]);
  const many = { ...lodash('1'), versions: Array.from({ length: 200_000 }, (_, n) => `1.${n}`) };
  expect(readAdvisory(osv('A', [many]))![0]!.versions).toHaveLength(200_000);
  for (const id of ['a\nb', 'a\u001b[31m', '\u202e', '字'.repeat(200)])
    expect(readAdvisory(osv(id, [lodash('1')])), id).toBeUndefined();
  for (const wrong of ['', '{', '[]', '{}', osv('', []), osv('a\u0000', []), osv('\ud800', []), 'null'])
    expect(readAdvisory(wrong), wrong).toBeUndefined();
});

describe('an import', async () => {
  const database = await openDatabase(await createTestDatabase(), {
    poolSize: 4,
    onConnectionLost: () => undefined,
  });
  const { db } = database;
  afterAll(() => database.close());
  const folder = mkdtempSync(join(tmpdir(), 'advisories-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const run = (at = new Date('2026-11-01T00:00:00Z'), from = folder) =>
    importAdvisories(db, from, { at, onProgress: () => undefined });
  const added = (version: string, before: string[] = []): AddedPackage => ({
    ...{ ecosystem: 'npm', name: 'lodash', version, before },
    ...{ file: 'package-lock.json', line: 1, quote: 'x' },
  });
  const idsOf = async (...packages: AddedPackage[]) =>
    (await findVulnerable(db, packages)).vulnerable.map(({ advisories, added: { version } }) =>
      [version, ...advisories.map(({ fixedIn, id }) => `${id} ${fixedIn}`)].join(' '),
    );

  it('takes the place of the one before, and changes nothing if it finds no advisory', async () => {
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await run()).toEqual({ kind: 'empty', notRead: [] });
    expect(await selectLastImport(db)).toBeUndefined();
    write('npm/GHSA-1.json', osv('GHSA-1', [lodash('4.0.0')], { aliases: ['CVE-1'] }));
    const other = { ...lodash('4.17.0'), package: { ecosystem: 'npm', name: 'lodash-es' } };
    write('npm/deep/er/GHSA-2.json', osv('GHSA-2', [lodash('4.17.0'), other]));
    write('other/SNYK-1.json', osv('SNYK-1', [lodash('4.0.0')], { aliases: ['GHSA-1'] }));
    write('npm/again.json', osv('GHSA-2', [lodash('4.17.0')]));
    write('npm/wrong.json', '{');
    write('npm/README.md', '# Not read');
    symlinkSync('/etc/hosts', join(folder, 'npm/link.json'));
    expect(await run()).toEqual({
      ...{ kind: 'imported', total: 3, changed: 3, removed: 0 },
      notRead: [join(folder, 'npm/wrong.json')],
    });
    // Other names of one vulnerability count once, and so does what was there before.
    expect(
      await idsOf(
        added('3.0.0'),
        added('4.1.0', ['4.0.0']),
        added('4.1.0', ['4.17.0', '5.0.0']),
        added('5.0.0'),
      ),
    ).toEqual(['3.0.0 GHSA-1 4.0.0 GHSA-2 4.17.0', '4.1.0 GHSA-2 4.17.0']);

    write('npm/deep/er/GHSA-2.json', osv('GHSA-2', [lodash('4.18.0')]));
    rmSync(join(folder, 'npm/again.json'));
    rmSync(join(folder, 'npm/GHSA-1.json'));
    const later = new Date('2026-11-02T00:00:00Z');
    expect(await run(later)).toMatchObject({ total: 2, changed: 1, removed: 1 });
    expect(await selectLastImport(db)).toEqual({ importedAt: later });
    expect(await idsOf(added('4.17.5'))).toEqual(['4.17.5 GHSA-2 4.18.0']);
    expect(await run(later)).toMatchObject({ total: 2, changed: 0, removed: 0 });

    const empty = join(folder, 'npm/deep/empty');
    mkdirSync(empty);
    expect(await run(later, empty)).toEqual({ kind: 'empty', notRead: [] });
    expect(await idsOf(added('4.17.5'))).toHaveLength(1);
    // One at a time: the others say so.
    await inTransaction(db, async (transaction) => {
      expect(await tryLockImports(transaction)).toBe(true);
      expect(await run(later)).toEqual({ kind: 'busy' });
    });
    expect(await run(later)).toMatchObject({ kind: 'imported' });
    expect(await idsOf(added('4.17.5'))).toHaveLength(1);
  });

  it('compares a bounded number of versions, and says when there are more', async () => {
    const own = mkdtempSync(join(tmpdir(), 'advisories-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    for (let n = 0; n < 100; n += 1)
      writeFileSync(join(own, `${n}.json`), osv(`ADV-${n}`, [lodash('9.0.0')]));
    await run(new Date(), own);
    const before = Array.from({ length: 19 }, (_, n) => `9.${n}.0`);
    const many = (count: number) => Array.from({ length: count }, (_, n) => added(`6.${n}.0`, before));
    const all = await findVulnerable(db, many(100));
    expect([all.vulnerable.length, all.isComplete]).toEqual([100, true]);
    const some = await findVulnerable(db, many(2000));
    expect([some.vulnerable.length, some.isComplete]).toEqual([100, false]);
  });
});
