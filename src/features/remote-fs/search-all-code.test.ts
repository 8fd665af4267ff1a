/** A search of all repositories finds what a search of each finds, best first, and says what it left out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { createTally } from './tally-repositories.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, globex, url } = service;

const billing = await addRepository(
  service,
  {
    'src/invoice.ts': 'export function renderInvoice() {}\n',
    'src/invoice.test.ts': 'renderInvoice();\n',
    'src/many.ts': 'renderInvoices();\n',
    'dist/invoice.js': 'renderInvoice();\n',
    'many.txt': 'every line\n'.repeat(80),
  },
  { fullName: 'acme/billing' },
);
await billing.git('branch', 'next');
await billing.refresh();
await addRepository(
  service,
  {
    'main.go': 'package main // renderInvoice\n',
    'README.md': 'renderInvoice\n',
    'é.py': 'x = "é renderé"\n',
  },
  { fullName: 'acme/web' },
);
const secret = await addRepository(
  service,
  { 'a.ts': 'renderInvoice secret\n' },
  { fullName: 'other/secret' },
);
await service.request('PATCH', `/api/v2/repositories/${secret.id}`, {
  as: withSession(acme.owner),
  body: { visibility: 'members' },
});

interface Found {
  repository: string;
  files: { path: string; lines: { number: number; isMatch: boolean }[] }[];
  moreLines: object | null;
}

async function searchAll(query: Record<string, string>, person = acme.viewer) {
  const response = await fetch(`${url}/api/v2/remote-fs/search-all?${new URLSearchParams(query)}`, {
    headers: { cookie: `countersign=${person.token}` },
  });
  const text = await response.text();
  if (response.status !== 200)
    return { status: response.status, problem: JSON.parse(text), found: [], counted: [] };
  const events = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
  const found: Found[] = events.flatMap(({ repository }) => repository ?? []);
  const counted: { repository: string; total: object }[] = events.flatMap((event) => event.counted ?? []);
  return { status: 200, found, counted, summary: events.at(-1).summary };
}

const linesOf = (found: Found[]) =>
  found
    .flatMap(({ files, repository }) =>
      files.flatMap(({ lines, path }) =>
        lines.filter(({ isMatch }) => isMatch).map(({ number }) => `${repository} ${path}:${number}`),
      ),
    )
    .sort();

describe('a search of all repositories', () => {
  it('returns code before tests, documents and generated files, and whole words first', async () => {
    const { found, summary } = await searchAll({ pattern: 'renderInvoice' });
    expect(found.map(({ files, repository }) => [repository, ...files.map(({ path }) => path)])).toEqual([
      ['acme/billing', 'src/invoice.ts', 'src/many.ts', 'src/invoice.test.ts', 'dist/invoice.js'],
      ['acme/web', 'main.go', 'README.md'],
    ]);
    const total = { lines: 6, repositories: 2, isLowerBound: false };
    expect(summary).toEqual({ searched: 2, matching: 2, matchingLines: 6, total, leftOut: [] });
  });

  it.each([
    [{ repositories: 'acme/b*' }, ['acme/billing']],
    [{ repositories: 'WEB' }, ['acme/web']],
    [{ paths: '*.go' }, ['acme/web']],
    [{ language: 'TypeScript' }, ['acme/billing']],
    [{ language: 'go' }, ['acme/web']],
    [{ language: 'go', paths: 'src/**' }, []],
    [{ branch: 'next' }, ['acme/billing']],
  ])('can be limited: %j', async (limits, names) => {
    const { found } = await searchAll({ pattern: 'renderInvoice', ...limits });
    expect(found.map(({ repository }) => repository)).toEqual(names);
  });

  it.each([
    ['renderInvoice repo:billing', ['acme/billing']],
    ['renderInvoice repo:acme/* -repo:ACME/web', ['acme/billing']],
    ['renderInvoice repo:acme/web or repo:billing secret', ['acme/billing', 'acme/web']],
    ['renderInvoice lang:go', ['acme/web']],
    ['renderInvoice lang:go lang:markdown -path:README.md', ['acme/web']],
    ['renderInvoice path:/src path:nowhere/ -lang:go', ['acme/billing']],
    ['renderInvoice -path:src -path:dist', ['acme/web']],
    ['renderInvoice branch:next', ['acme/billing']],
    ['"package main"', ['acme/web']],
    ['package main', ['acme/web']],
    ['nothing or "x = \\"é"', ['acme/web']],
    ['RENDERinvoices', []],
  ])('understands %s', async (query, names) => {
    const { found, status } = await searchAll({ query });
    expect(status).toBe(200);
    expect(found.map(({ repository }) => repository).sort()).toEqual(names);
    const rest = query.replaceAll(/-?repo:\S+/g, '');
    for (const { files, repository } of found) {
      const { body } = await service.request('POST', '/api/v2/remote-fs/search', {
        as: withSession(acme.viewer),
        body: { repository, query: rest },
      });
      expect(linesOf([{ repository, ...body }])).toEqual(linesOf([{ repository, files, moreLines: null }]));
    }
  });

  it('takes a query as a regular expression, or ignores case', async () => {
    const regex = await searchAll({ query: 'render\\w+s\\( lang:typescript', regex: 'true' });
    expect(linesOf(regex.found)).toEqual(['acme/billing src/many.ts:1']);
    const folded = await searchAll({ query: 'RENDERinvoices', ignoreCase: 'true' });
    expect(linesOf(folded.found)).toEqual(['acme/billing src/many.ts:1']);
  });

  it.each([
    [
      'a rep:acme/web',
      'unknown filter, rep:. Did you mean repo:? Filters are repo:, path:, lang:, branch:. To search for this text, write "rep:acme/web"',
    ],
    ['a foo:bar', 'unknown filter, foo:. Filters are'],
    ['a author:ann', 'unknown filter, author:.'],
    ['a lang:typscript', 'unknown language, typscript. Did you mean typescript?'],
    ['a lang:klingon', 'unknown language, klingon. Languages are '],
    ['a path:[z-a]', 'invalid glob in path:[z-a]'],
    [
      'a repo:acme/weeb',
      "No repository named acme/weeb exists, or you don't have access to it. Did you mean acme/web?",
    ],
    ['a -repo:other/secret', 'No repository named other/secret exists'],
    ['lang:go', 'no text to search for'],
    ['a -branch:next', 'can’t exclude a branch'],
  ])('explains what is wrong with %s', async (query, message) => {
    const { problem, status } = await searchAll({ query });
    expect(status).toBe(400);
    expect(problem.errors[0]).toMatchObject({ path: 'query', message: expect.stringContaining(message) });
  });

  it('covers only what the caller can see', async () => {
    const names = async (person: typeof acme.viewer) =>
      (await searchAll({ pattern: 'renderInvoice' }, person)).found.map(({ repository }) => repository);
    expect(await names(acme.owner)).toContain('other/secret');
    expect(await names(globex.owner)).toEqual([]);
    const { status } = await service.request('GET', '/api/v2/remote-fs/search-all?pattern=a', {
      as: withKey(acme.member),
    });
    expect(status).toBe(403);
  });

  it('says what it left out', async () => {
    const { found, summary } = await searchAll({ pattern: 'every', branch: 'next' });
    expect(found[0]).toMatchObject({ moreLines: { count: 30, isLowerBound: false } });
    expect(summary.leftOut).toEqual([
      '1 repository has no branch next.',
      '1 repository has more matching lines than shown.',
    ]);
  });

  it.each([
    [{ pattern: 'a(' }, 'pattern'],
    [{ pattern: 'a', language: 'klingon' }, 'language'],
    [{ pattern: 'a', repositories: '[z-a]' }, 'repositories'],
    [{ pattern: 'a', paths: '[z-a]' }, 'paths'],
    [{ pattern: 'a', query: 'a' }, 'query'],
    [{ query: 'a(', regex: 'true' }, 'query'],
    [{}, 'pattern'],
  ])('refuses %j', async (query, field) => {
    const { problem, status } = await searchAll(query);
    expect(status).toBe(400);
    expect(problem.errors[0].path).toBe(field);
  });

  it('counts everything when asked, also what it shows no more', async () => {
    const file = (name: string) => `countMe(${name});\n`.repeat(3000);
    await addRepository(service, { a: file('a'), b: file('b'), c: file('c') }, { fullName: 'count/many' });
    await addRepository(service, { a: 'countMe();\n' }, { fullName: 'count/one' });
    const search = { query: 'countMe repo:count/*' };
    const some = await searchAll(search);
    expect(some.counted).toEqual([]);
    expect(some.summary).toMatchObject({ matchingLines: 51, total: { lines: 3001, isLowerBound: true } });
    const all = await searchAll({ ...search, linesPerFile: '5', countAll: 'true' });
    const of = (name: string) => all.found.find(({ repository }) => repository === name)!.files;
    expect(of('count/many').map(({ lines }) => lines.filter(({ isMatch }) => isMatch).length)).toEqual([
      5, 5, 5,
    ]);
    expect(all.summary).toMatchObject({
      total: { lines: 9001, repositories: 2, isLowerBound: false },
      leftOut: [],
    });
  });

  it('finds exactly what the searches of each repository find', async () => {
    const piece = fc.constantFrom(
      'render',
      'Invoice',
      'e',
      'main',
      '\\b',
      '\\w+',
      '.',
      'é',
      '(?i)',
      '^',
      'x|y',
      ' ',
    );
    const patterns = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        const all = await searchAll({ pattern });
        const each = await Promise.all(
          ['acme/billing', 'acme/web'].map(async (repository) => {
            const { body, status } = await service.request('POST', '/api/v2/remote-fs/search', {
              as: withSession(acme.viewer),
              body: { repository, pattern },
            });
            return status === 200 ? { repository, ...body } : null;
          }),
        );
        expect(all.status === 200).toBe(each.every(Boolean));
        if (all.status !== 200 || all.found.some(({ moreLines }) => moreLines)) return;
        expect(linesOf(all.found)).toEqual(linesOf(each));
      }),
      { numRuns: 20 },
    );
  });

  it('returns files that define the name before those that use it', async () => {
    await addRepository(
      service,
      {
        'src/a.ts': "import { shipOrder } from './z.ts';\nshipOrder();\n",
        'src/comment.ts': '// function shipOrder() {}\n',
        'src/z.ts': 'export function shipOrder() {}\n',
      },
      { fullName: 'ship/defines' },
    );
    await addRepository(service, { 'src/a.ts': 'shipOrder();\n' }, { fullName: 'ship/a-uses' });
    const asked = await service.request('GET', '/api/v2/remote-fs/symbols?name=shipOrder', {
      as: withSession(acme.viewer),
    });
    expect(asked.status).toBe(200);
    for (const pattern of ['shipOrder', '\\bshipOrder\\b']) {
      const { found } = await searchAll({ pattern, repositories: 'ship/*' });
      expect(
        found.flatMap(({ files, repository }) => files.map(({ path }) => `${repository} ${path}`)),
      ).toEqual([
        'ship/defines src/z.ts',
        'ship/defines src/a.ts',
        'ship/defines src/comment.ts',
        'ship/a-uses src/a.ts',
      ]);
    }
    const { found } = await searchAll({ pattern: 'ship.rder', repositories: 'ship/*' });
    expect(found.map(({ repository }) => repository)).toEqual(['ship/a-uses', 'ship/defines']);
  });

  it('returns the definition first when it is the 500th match, or the last one of its file', async () => {
    await addRepository(
      service,
      {
        'src/a.ts': 'packParcel();\n'.repeat(499),
        'src/z.ts': 'export function packParcel() {}\n'.concat('packParcel();\n'.repeat(99)),
        'test/helper.ts': 'packParcel();\n'.repeat(599).concat('export function packParcel() {}\n'),
        'dist/a.js': 'export function packParcel() {}\n',
      },
      { fullName: 'parcel/last' },
    );
    await addRepository(service, { 'src/a.ts': 'packParcel();\n' }, { fullName: 'parcel/a-uses' });
    const asked = await service.request('GET', '/api/v2/remote-fs/symbols?name=packParcel', {
      as: withSession(acme.viewer),
    });
    expect(asked.status).toBe(200);
    const defined = ['src/z.ts:1', 'test/helper.ts:600'];
    for (const pattern of ['packParcel', '\\bpackParcel\\b', '(?i)packParcel', 'packParcel\\(']) {
      const { found } = await searchAll({ pattern, repositories: 'parcel/*' });
      expect(found.map(({ repository }) => repository)).toEqual(['parcel/last', 'parcel/a-uses']);
      expect(found[0]!.files.map(({ lines, path }) => `${path}:${numberOf(path, lines)}`)).toEqual(defined);
      expect(found[0]!.moreLines).toEqual({ count: 1150, isLowerBound: false });
    }
    const search = async (order: string | undefined) => {
      const { body } = await service.request('POST', '/api/v2/remote-fs/search', {
        as: withSession(acme.viewer),
        body: { repository: 'parcel/last', pattern: 'packParcel', order },
      });
      return body.files.map(({ lines, path }: Found['files'][number]) => `${path}:${numberOf(path, lines)}`);
    };
    expect(await search('code_first')).toEqual(defined);
    for (const order of [undefined, 'path'])
      expect(await search(order)).toEqual(['dist/a.js:1', 'src/a.ts:1']);
    const { body: pages } = await service.request('POST', '/api/v2/remote-fs/search', {
      as: withSession(acme.viewer),
      body: {
        ...{ repository: 'parcel/last', query: 'nothing or packParcel', linesPerFile: 2 },
        order: 'code_first',
      },
    });
    expect(pages.definitionsFirst).toBe(true);
    expect(
      pages.files.map(({ lines, path }: Found['files'][number]) => `${path}:${numberOf(path, lines)}`),
    ).toEqual(['src/z.ts:1', 'test/helper.ts:600', 'src/a.ts:1', 'dist/a.js:1']);
    const { body } = await service.request('POST', '/api/v2/remote-fs/grep', {
      as: withKey(acme.member),
      body: { repository: 'parcel/last', pattern: 'packParcel', path: '' },
    });
    expect(body.text.match(/^\S+\.[jt]s$/gm)).toEqual(['dist/a.js', 'src/a.ts']);
  });
});

it('counts the repositories that a search ended before, and says which it did not reach', () => {
  const chosen = ['a', 'b', 'c'].map((name) => ({
    ...{ id: name, name, commit: name, head_commit: name, state: 'ready' },
  }));
  const tally = createTally(chosen);
  const found = (lines: number, isLowerBound = false) => ({
    ...{
      kind: 'found' as const,
      files: [],
      matchingLines: 0,
      moreLines: null,
      notSearched: [],
      isIndexed: true,
    },
    total: { lines, files: 1, isLowerBound },
  });
  tally.take('a', found(9, true));
  tally.show('a', 5);
  expect(tally.uncounted().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const ended = tally.summary([], { hasCounted: false });
  expect(ended.total).toEqual({ lines: 9, repositories: 1, isLowerBound: true });
  expect(ended.leftOut).toEqual([
    '1 repository has more matching lines than shown.',
    '2 repositories were not searched because there are enough results.',
  ]);
  tally.take('a', { kind: 'not_searched' });
  tally.take('b', found(3));
  tally.take('c', { kind: 'not_searched' });
  const counted = tally.summary([], { hasCounted: true });
  expect(counted.total).toEqual({ lines: 12, repositories: 2, isLowerBound: true });
  expect(counted.leftOut).toEqual(['1 repository was not searched in time: c.']);
});

/** The line that defines the name, in files that do. */
function numberOf(path: string, lines: Found['files'][number]['lines']): number {
  const matching = lines.filter(({ isMatch }) => isMatch).map(({ number }) => number);
  return path === 'test/helper.ts' && matching.includes(600) ? 600 : matching[0]!;
}
