/** GET /api/v2/remote-fs/file-search and POST /api/v2/remote-fs/grep. */
import assert from 'node:assert/strict';
import {
  type Answer,
  assertInvalid,
  assertProblem,
  assertStatus,
  type Case,
  type Server,
} from '../server.ts';

const FILES = '/api/v2/remote-fs/file-search';
const GREP = '/api/v2/remote-fs/grep';

type Query = Record<string, string | undefined>;

function findFiles(server: Server, query: Query): Promise<Answer> {
  const given = { repository: server.repository, pattern: '*', ...query };
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return server.request('GET', `${FILES}?${new URLSearchParams(entries)}`);
}

function grep(server: Server, body: Record<string, unknown>): Promise<Answer> {
  const given = { repository: server.repository, pattern: 'x', path: '', ...body };
  return server.request('POST', GREP, { body: given });
}

function assertFiles(answer: Answer): string[] {
  assertStatus(answer, 200);
  assert.deepEqual(Object.keys(answer.json).toSorted(), ['items', 'total', 'truncated']);
  const { items, total, truncated } = answer.json;
  assert.ok(items.length <= 1000 && total >= items.length);
  assert.equal(truncated, total > items.length);
  const sorted = items.map((item: string) => Buffer.from(item)).toSorted(Buffer.compare);
  assert.deepEqual(
    items,
    sorted.map((item: Buffer) => item.toString()),
  );
  return items;
}

const nobody = 'no-such-owner/no-such-repository';

const everywhere: Case[] = [
  {
    name: 'both return 401 without a key',
    async run(server) {
      assertProblem(
        await server.request('GET', `${FILES}?repository=a&pattern=b`, { key: null }),
        401,
        'unauthenticated',
      );
      assertProblem(await server.request('POST', GREP, { body: {}, key: null }), 401, 'unauthenticated');
    },
  },
  {
    name: 'both return 404 for an unknown repository',
    async run(server) {
      assertProblem(await findFiles(server, { repository: nobody }), 404, 'not_found');
      assertProblem(await grep(server, { repository: nobody }), 404, 'not_found');
    },
  },
  {
    name: 'every missing field is listed',
    async run(server) {
      assertInvalid(await server.request('GET', FILES), 'repository', 'pattern');
      assertInvalid(await server.request('POST', GREP, { body: {} }), 'repository', 'pattern', 'path');
    },
  },
  {
    name: 'a glob has 1 to 1000 characters, counted in code points',
    async run(server) {
      assertInvalid(await findFiles(server, { repository: nobody, pattern: '' }), 'pattern');
      assertInvalid(await findFiles(server, { repository: nobody, pattern: '😀'.repeat(1001) }), 'pattern');
      assertProblem(
        await findFiles(server, { repository: nobody, pattern: '😀'.repeat(1000) }),
        404,
        'not_found',
      );
    },
  },
  {
    name: 'a grep pattern has at most 2000 characters, counted in code points, and may be empty',
    async run(server) {
      assertInvalid(await grep(server, { repository: nobody, pattern: '😀'.repeat(2001) }), 'pattern');
      for (const pattern of ['', '😀'.repeat(2000)])
        assertProblem(await grep(server, { repository: nobody, pattern }), 404, 'not_found');
    },
  },
  {
    name: 'null, numbers, NUL and lone surrogates are refused',
    async run(server) {
      for (const wrong of [null, 7, ['a'], 'a\0b', '\ud800']) {
        assertInvalid(await grep(server, { repository: nobody, pattern: wrong }), 'pattern');
        assertInvalid(await grep(server, { repository: nobody, path: wrong }), 'path');
      }
    },
  },
  {
    name: 'a misspelled field is refused with a suggestion, an unknown field is ignored',
    async run(server) {
      assertInvalid(await grep(server, { repository: nobody, Ref: 'main' }), 'Ref');
      assertProblem(await grep(server, { repository: nobody, color: 'red' }), 404, 'not_found');
      assertInvalid(
        await server.request('GET', `${FILES}?repository=${nobody}&pattern=a&Pattern=b`),
        'Pattern',
      );
    },
  },
  {
    name: 'a repeated parameter is refused, and other methods return 405',
    async run(server) {
      assertInvalid(
        await server.request('GET', `${FILES}?repository=a&repository=b&pattern=c`),
        'repository',
      );
      assertProblem(await server.request('POST', FILES, { body: {} }), 405, 'method_not_allowed');
      assertProblem(await server.request('GET', GREP), 405, 'method_not_allowed');
    },
  },
];

const inRepository: Case[] = [
  {
    name: 'all files are listed in byte order',
    async run(server) {
      assert.ok(assertFiles(await findFiles(server, { pattern: '**' })).length > 0);
    },
  },
  {
    name: 'names are case-insensitive, and no ref, HEAD and an empty ref are equivalent',
    async run(server) {
      const expected = assertFiles(await findFiles(server, {}));
      for (const query of [{ repository: server.repository!.toUpperCase() }, { ref: 'HEAD' }, { ref: '' }])
        assert.deepEqual(assertFiles(await findFiles(server, query)), expected);
    },
  },
  {
    name: 'a listed file is found by its exact path and by its extension',
    async run(server) {
      const [path] = assertFiles(await findFiles(server, { pattern: '**/*.[a-z]*' })) as [string];
      const exact = path.replaceAll(/[*?[\]{}\\]/g, '\\$&');
      assert.deepEqual(assertFiles(await findFiles(server, { pattern: `/${exact}` })), [path]);
      const ending = exact.slice(exact.lastIndexOf('.'));
      assert.ok(assertFiles(await findFiles(server, { pattern: `*${ending}` })).includes(path));
    },
  },
  {
    name: 'no match is an empty list',
    async run(server) {
      const answer = await findFiles(server, { pattern: 'no-file-has-this-name-*.xyz' });
      assert.deepEqual(answer.json, { items: [], total: 0, truncated: false });
    },
  },
  {
    name: 'both return 404 ref_not_found for an unknown ref, whatever git would make of it',
    async run(server) {
      for (const ref of ['no-such-branch', '--all', 'HEAD~1', 'a..b', '@{-1}', 'HEAD:x', '0'.repeat(40)]) {
        assertProblem(await findFiles(server, { ref }), 404, 'ref_not_found');
        assertProblem(await grep(server, { ref }), 404, 'ref_not_found');
      }
    },
  },
  {
    name: 'grep returns lines grouped by file',
    async run(server) {
      const answer = await grep(server, { pattern: '.' });
      assertStatus(answer, 200);
      assert.deepEqual(Object.keys(answer.json), ['text']);
      const [path, ...lines] = answer.json.text.split('\n\n')[0].trimEnd().split('\n');
      assert.deepEqual(assertFiles(await findFiles(server, { pattern: `/${path}` })), [path]);
      assert.ok(lines.length > 0);
      for (const line of lines) assert.match(line, /^(\d+[:-]|--$)/);
    },
  },
  {
    name: 'grep without a match returns an empty text',
    async run(server) {
      const answer = await grep(server, { pattern: 'no line says qzqzqzqz \\d{20}' });
      assertStatus(answer, 200);
      assert.deepEqual(answer.json, { text: '' });
    },
  },
  {
    name: 'an invalid regular expression is 400 with a reason',
    async run(server) {
      for (const pattern of ['a(', '[', '(?=a)', 'x{2,1}', 'a\nb']) {
        const answer = await grep(server, { pattern });
        assertInvalid(answer, 'pattern');
        assert.ok(answer.json.errors[0].message.length > 20);
      }
    },
  },
  {
    name: 'a pattern that causes catastrophic backtracking elsewhere gets a result',
    async run(server) {
      for (const pattern of ['(a*)*b', '(x+x+)+y', '(.*)*(.*)*(.*)*$z', 'a{500}{2}'])
        assertStatus(await grep(server, { pattern }), 200);
    },
  },
  {
    name: 'the path is a folder, a file or the root in three spellings; .. is 400, an unknown path is 404',
    async run(server) {
      const [file] = assertFiles(await findFiles(server, { pattern: '**/*.[a-z]*' })) as [string];
      const whole = (await grep(server, { pattern: '', path: '' })).text;
      for (const path of ['.', '/']) assert.equal((await grep(server, { pattern: '', path })).text, whole);
      assertStatus(await grep(server, { path: file }), 200);
      assertInvalid(await grep(server, { path: '../x' }), 'path');
      assertProblem(await grep(server, { path: 'no/such/folder' }), 404, 'not_found');
    },
  },
];

export const cases: Case[] = [
  ...everywhere,
  ...inRepository.map((each): Case => ({ ...each, needsRepository: true })),
];
