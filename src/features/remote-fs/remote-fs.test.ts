/** Endpoints 4 and 5, reading files and listing folders, over HTTP, on unusual but real repositories. */
import { describe, expect, it } from 'vitest';
import { oddFiles } from '../../../test/helpers/git/git-fixtures.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme } = service;
const key = withKey(acme.member);

const lines = (count: number, text: (line: number) => string) =>
  Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join('');

const api = await addRepository(
  service,
  {
    'README.md': '# API\n\nSee src.\n',
    'src/server.ts': 'import http from "node:http";\n\nexport function serve() {\n  return http;\n}\n',
    'src/routes/users.ts': 'export const users = 1;\n// TODO: more\n',
    'src/long.ts': lines(40, (line) => (line % 10 === 0 ? `match ${line}` : `line ${line}`)),
    '.github/workflows/ci.yml': 'on: push\n',
    'docs/a.md': 'TODO here\r\nsecond\r\n',
  },
  { fullName: 'acme/api' },
);
const first = await api.git('rev-parse', 'main');
const second = await api.commit({ 'src/server.ts': 'export const answer = 42;\n', 'docs/a.md': null });
await api.git('branch', 'feature/one', first);
await api.git('tag', 'v1', first);
await api.git('tag', '-a', '-m', 'two', 'v2', second);
await api.git('branch', 'deadbeef', first);
await api.refresh();

const files = (query: Record<string, string>, as: Parameters<typeof service.request>[2] = { as: key }) =>
  service.request('GET', `/api/v2/remote-fs/file-search?${new URLSearchParams(query)}`, as);
const grep = (body: Record<string, unknown>, as: Parameters<typeof service.request>[2] = { as: key }) =>
  service.request('POST', '/api/v2/remote-fs/grep', { ...as, body });
const textOf = async (body: Record<string, unknown>): Promise<string> => {
  const answer = await grep({ repository: 'acme/api', path: '', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.text;
};
const read = (query: Record<string, string>) =>
  service.request('GET', `/api/v2/remote-fs/file?${new URLSearchParams(query)}`, {
    as: withSession(acme.member),
  });
const tree = (query: Record<string, string>) =>
  service.request('GET', `/api/v2/remote-fs/tree?${new URLSearchParams(query)}`, {
    as: withSession(acme.member),
  });

describe('a path that does not exist', () => {
  const session = { as: withSession(acme.member) };
  it.each([
    ['src/Server.ts', ['src/server.ts']],
    ['server.js', ['src/server.ts']],
    ['lib/users.ts', ['src/routes/users.ts']],
    ['src/sevrer.ts', ['src/server.ts']],
    ['zebra.rs', undefined],
  ])('is a 404 that suggests similar files: %s', async (path, candidates) => {
    const { body, status } = await read({ repository: 'acme/api', path });
    expect({ status, code: body.code, candidates: body.candidates }).toEqual({
      status: 404,
      code: 'not_found',
      candidates,
    });
    if (candidates)
      expect(body.detail).toBe(
        `${path} doesn't exist at this commit. Did you mean ${candidates.join(' or ')}?`,
      );
  });

  it('suggests folders where folders can be given', async () => {
    expect((await tree({ repository: 'acme/api', path: 'src/route' })).body.candidates).toEqual([
      'src/routes',
    ]);
    const found = await grep({ repository: 'acme/api', pattern: 'x', path: 'src/rotues' });
    expect(found).toMatchObject({ status: 404, body: { candidates: ['src/routes'] } });
    const image = `/api/v2/remote-fs/image?${new URLSearchParams({ repository: 'acme/api', path: 'logo.png' })}`;
    expect(await service.request('GET', image, session)).toMatchObject({ status: 404 });
  });
});

describe('file search', () => {
  it.each([
    ['*.ts', ['src/long.ts', 'src/routes/users.ts', 'src/server.ts']],
    ['src/*.ts', ['src/long.ts', 'src/server.ts']],
    ['/README.md', ['README.md']],
    ['**/ci.yml', ['.github/workflows/ci.yml']],
    ['*.{md,yml}', ['.github/workflows/ci.yml', 'README.md']],
    ['nothing', []],
  ])('finds %s', async (pattern, items) => {
    const { body, status } = await files({ repository: 'api', pattern });
    expect({ status, body }).toEqual({
      status: 200,
      body: { items, total: items.length, truncated: false },
    });
  });

  it.each([
    ['a branch with a slash', 'feature/one'],
    ['a tag', 'v1'],
    ['a full commit', first],
    ['a short commit', first.slice(0, 10)],
    ['a commit in upper case', first.toUpperCase()],
    ['a branch whose name is hexadecimal', 'deadbeef'],
    ['a full ref', 'refs/heads/feature/one'],
  ])('resolves %s', async (_, ref) => {
    const { body } = await files({ repository: 'ACME/API', pattern: '*.md', ref });
    expect(body.items).toEqual(['README.md', 'docs/a.md']);
  });

  it('resolves an annotated tag, HEAD and an empty ref to their commits', async () => {
    for (const ref of ['v2', 'HEAD', '']) {
      expect((await files({ repository: 'api', pattern: '*.md', ref })).body.items).toEqual(['README.md']);
    }
  });

  it.each([
    '--output=x',
    '-upload-pack=touch /tmp/x',
    'HEAD:secret',
    '..',
    'main..v1',
    '@{-1}',
    '@',
    'main~1',
    'main^{tree}',
    'refs/../x',
    ':/Commit',
    'refs/heads/',
    '0000000000000000000000000000000000000000',
    'fffffff',
    'abc',
    'origin/main',
  ])('answers 404 ref_not_found for %j', async (ref) => {
    const { body, status } = await files({ repository: 'api', pattern: '*', ref });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'ref_not_found' });
  });

  it('answers 404 for a tree or a file by its id', async () => {
    for (const name of ['main^{tree}', 'main:README.md']) {
      const id = await api.git('rev-parse', name);
      expect((await files({ repository: 'api', pattern: '*', ref: id })).body.code).toBe('ref_not_found');
    }
  });

  it('lists at most 1,000 and counts all', async () => {
    const many = await addRepository(
      service,
      Object.fromEntries(Array.from({ length: 1203 }, (_, index) => [`f${index}.txt`, `${index % 7}\n`])),
    );
    const { body } = await files({ repository: many.fullName, pattern: '*.txt' });
    expect(body).toMatchObject({ total: 1203, truncated: true });
    expect(body.items).toHaveLength(1000);
    expect(body.items).toEqual([...body.items].sort());
  });
});

describe('grep', () => {
  it('groups by file, with two lines of context', async () => {
    expect(await textOf({ pattern: 'match [12]0' })).toBe(
      'src/long.ts\n8-line 8\n9-line 9\n10:match 10\n11-line 11\n12-line 12\n--\n18-line 18\n19-line 19\n20:match 20\n21-line 21\n22-line 22\n',
    );
  });

  it('merges adjacent groups of lines at the start and end of the file', async () => {
    expect(await textOf({ pattern: '^line [1-6]$', path: 'src/long.ts' })).toBe(
      'src/long.ts\n1:line 1\n2:line 2\n3:line 3\n4:line 4\n5:line 5\n6:line 6\n7-line 7\n8-line 8\n',
    );
  });

  it('answers an empty text when nothing matches', async () => {
    expect(await textOf({ pattern: 'nothing like this' })).toBe('');
    expect(await textOf({ pattern: 'nothing.*like[0-9]this' })).toBe('');
  });

  it('separates files by an empty line, in the order of their paths', async () => {
    expect(await textOf({ pattern: 'TODO', ref: 'v1' })).toBe(
      'docs/a.md\n1:TODO here\n2-second\n\nsrc/routes/users.ts\n1-export const users = 1;\n2:// TODO: more\n',
    );
  });

  it('is case-sensitive by default', async () => {
    expect(await textOf({ pattern: 'todo' })).toBe('');
    expect(await textOf({ pattern: '(?i)todo' })).toContain('2:// TODO: more');
  });

  it.each(['', '.', '/', './', '//'])('treats %j as the whole repository', async (path) => {
    expect(await textOf({ pattern: 'answer', path })).toContain('src/server.ts\n1:export const answer');
  });

  it.each(['src', 'src/', '/src', './src/server.ts'])('searches only in %j', async (path) => {
    const text = await textOf({ pattern: '(?i)api|answer', path });
    expect(text).toBe('src/server.ts\n1:export const answer = 42;\n');
  });

  it('answers 404 for a missing path, and 400 for one outside the repository', async () => {
    for (const path of ['nowhere', 'src/nothing.ts', 'README.md/x', 'sr'])
      expect((await grep({ repository: 'api', pattern: 'x', path })).status).toBe(404);
    for (const path of ['..', 'src/../..', '../x']) {
      const { body, status } = await grep({ repository: 'api', pattern: 'x', path });
      expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path: 'path' });
    }
  });

  it.each(['a(', '[z-a]', '(?P<x', 'a{2,1}', '\\p{Nothing}', 'a\\nb', 'a\nb', '(?=x)', '\\1'])(
    'answers 400 for the pattern %j at every path',
    async (pattern) => {
      for (const path of ['', 'README.md']) {
        const { body, status } = await grep({ repository: 'api', pattern, path });
        expect({ status, path: body.errors?.[0].path }).toEqual({ status: 400, path: 'pattern' });
        expect(body.errors[0].message).toMatch(
          /^is not a valid regular expression: [a-zCU](?!.*(pcre2|\.$))/,
        );
      }
    },
  );

  it('accepts a pattern that looks like an option', async () => {
    expect(await textOf({ pattern: '--files' })).toBe('');
    expect(await textOf({ pattern: '-e' })).toBe('');
  });

  it('matches every line with an empty pattern', async () => {
    expect(await textOf({ pattern: '', path: 'README.md' })).toBe('README.md\n1:# API\n2:\n3:See src.\n');
  });

  it('stops at 500 matching lines and says how many more there are', async () => {
    const long = await addRepository(service, {
      'a.txt': lines(700, () => 'word'),
      'b.txt': lines(3, () => 'word'),
    });
    const { body } = await grep({ repository: long.fullName, pattern: 'word', path: '' });
    expect(body.text.match(/:word/g)).toHaveLength(500);
    expect(body.text).toMatch(
      /\n\n\[(at least )?20[03] more matching lines not shown: narrow the path or the pattern\]\n$/,
    );
  });

  it('truncates long lines around the match at character boundaries, and stops at 256 KiB', async () => {
    const side = 'ü'.repeat(3000);
    const wide = await addRepository(service, {
      'min.js': `${side}needle${side}\n`,
      'many.txt': lines(400, (line) => `${'x'.repeat(990)} mark ${line}`),
      'wide.txt': lines(2000, () => 'y'.repeat(1000)),
    });
    const one = (await grep({ repository: wide.fullName, pattern: 'needle', path: '' })).body.text as string;
    expect(one).toMatch(/^min\.js\n1:…ü+needleü+…\n$/);
    expect(one.length).toBeLessThan(500);
    const all = (await grep({ repository: wide.fullName, pattern: 'y+', path: '' })).body.text as string;
    expect(Buffer.byteLength(all)).toBeLessThan(256 * 1024 + 300);
    expect(all).toMatch(/more matching lines not shown/);
  });
});

describe('an unusual repository', async () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    const odd = await addRepository(service, oddFiles(objectFormat), { objectFormat });
    const where = { repository: odd.fullName };

    it(`lists every file and link but no submodules (${objectFormat})`, async () => {
      const { body } = await files({ ...where, pattern: '**' });
      expect(body.items).toContain('new\nline.txt');
      expect(body.items).toContain('"latin1/caf\\351.txt"');
      expect(body.items).toContain('link-outside');
      expect(body.items).not.toContain('vendor/module');
      expect(body.total).toBe(oddFiles().length - 1);
    });

    it(`searches text in every encoding that ripgrep reads, but no links or binary files (${objectFormat})`, async () => {
      const text = (await grep({ ...where, pattern: '', path: '' })).body.text as string;
      expect(text).toContain('"new\\nline.txt"\n1:newline\n');
      expect(text).toContain('no-newline.txt\n1:no newline at the end\n');
      expect(text).toContain('crlf.txt\n1:one\n2:two\n');
      expect(text).not.toContain('binary.dat');
      expect(text).not.toContain('link');
      expect(text).not.toContain('passwd');
    });

    it(`reads files by the names it lists (${objectFormat})`, async () => {
      for (const path of [
        'new\nline.txt',
        '"latin1/caf\\351.txt"',
        '--output=x',
        'unicode/größe-文件-🙂.txt',
      ]) {
        expect(await read({ ...where, path })).toMatchObject({
          status: 200,
          body: { kind: 'text', totalLines: 1 },
        });
      }
    });

    it(`reports the kind of files that are not text (${objectFormat})`, async () => {
      expect((await read({ ...where, path: 'binary.dat' })).body).toMatchObject({
        kind: 'binary',
        size: 8,
        text: '',
      });
      expect((await read({ ...where, path: 'lfs.bin' })).body).toMatchObject({ kind: 'lfs', totalLines: 3 });
      expect((await read({ ...where, path: 'link-outside' })).body).toMatchObject({
        kind: 'symlink',
        text: '/etc/passwd',
      });
      expect((await read({ ...where, path: 'empty.txt' })).body).toMatchObject({
        kind: 'text',
        totalLines: 0,
        endLine: 0,
      });
      expect((await read({ ...where, path: 'vendor/module' })).status).toBe(404);
      expect((await read({ ...where, path: 'link/x' })).status).toBe(404);
    });

    it(`lists its root, folders first (${objectFormat})`, async () => {
      const { body } = await tree(where);
      const kinds = body.entries.map((entry: { kind: string }) => entry.kind);
      expect(kinds.lastIndexOf('folder')).toBeLessThan(kinds.indexOf('file'));
      expect((await tree({ ...where, path: 'vendor' })).body.entries).toEqual([
        { name: 'module', path: 'vendor/module', kind: 'submodule' },
      ]);
      expect((await tree({ ...where, path: 'plain.txt' })).status).toBe(404);
      expect((await tree({ ...where, path: 'no/such' })).status).toBe(404);
    });
  }
});

describe('reading a file', () => {
  it('returns a range of lines and its end', async () => {
    expect(
      (await read({ repository: 'api', path: 'src/long.ts', startLine: '9', endLine: '10' })).body,
    ).toEqual({
      path: 'src/long.ts',
      commit: second,
      kind: 'text',
      size: expect.any(Number),
      totalLines: 40,
      startLine: 9,
      endLine: 10,
      text: 'line 9\nmatch 10\n',
      truncated: false,
    });
  });

  it('returns fewer lines at the end of the file, and none beyond it', async () => {
    const at = (startLine: string, endLine: string) =>
      read({ repository: 'api', path: 'src/long.ts', startLine, endLine });
    expect((await at('39', '99')).body).toMatchObject({ endLine: 40, truncated: false });
    expect((await at('41', '99')).body).toMatchObject({ endLine: 40, text: '', truncated: false });
    expect((await at('5', '4')).status).toBe(400);
    expect((await at('0', '4')).status).toBe(400);
  });

  it('returns the file at a commit', async () => {
    expect((await read({ repository: 'api', path: 'src/server.ts' })).body.text).toBe(
      'export const answer = 42;\n',
    );
    expect((await read({ repository: 'api', path: 'src/server.ts', ref: first })).body.text).toContain(
      'serve()',
    );
  });
});

describe('the page’s search', () => {
  it('returns matches as UTF-16 offsets in the shown text', async () => {
    const emoji = await addRepository(service, {
      'a.txt': 'x\n😀 foo and föö\ny\n',
      'b.txt': `${'😀'.repeat(300)}foo${'z'.repeat(900)}\n`,
    });
    const { body, status } = await service.request('POST', '/api/v2/remote-fs/search', {
      as: withSession(acme.member),
      body: { repository: emoji.fullName, pattern: 'f[oö]+' },
    });
    expect(status).toBe(200);
    const matched = body.files.map(
      (file: { path: string; lines: { text: string; ranges: { start: number; end: number }[] }[] }) => [
        file.path,
        file.lines.flatMap(({ ranges, text }) => ranges.map(({ end, start }) => text.slice(start, end))),
      ],
    );
    expect(matched).toEqual([
      ['a.txt', ['foo', 'föö']],
      ['b.txt', ['foo']],
    ]);
    expect(body).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      matchingLines: 2,
      moreLines: null,
      notSearched: null,
      more: null,
    });
  });
});
