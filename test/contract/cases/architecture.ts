/** POST /api/v2/cross-repo/search. */
import assert from 'node:assert/strict';
import {
  type Answer,
  assertInvalid,
  assertProblem,
  assertStatus,
  type Case,
  type Server,
} from '../server.ts';

const PATH = '/api/v2/cross-repo/search';

const search = (server: Server, body: Record<string, unknown>): Promise<Answer> =>
  server.request('POST', PATH, { body });

interface Found {
  repoId: string;
  repoName: string;
  domain: string;
  summary: string;
}

function assertSummaries(answer: Answer): Found[] {
  assertStatus(answer, 200);
  assert.deepEqual(Object.keys(answer.json), ['summaries']);
  const { summaries } = answer.json;
  assert.ok(Array.isArray(summaries) && summaries.length <= 50);
  for (const summary of summaries) {
    assert.deepEqual(Object.keys(summary).toSorted(), ['domain', 'repoId', 'repoName', 'summary']);
    assert.match(summary.repoId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const field of ['repoName', 'domain', 'summary']) assert.ok(summary[field].length > 0);
  }
  const pairs = summaries.map(({ domain, repoId }: Found) => `${repoId} ${domain}`);
  assert.equal(new Set(pairs).size, pairs.length, 'one summary for each repository and domain');
  return summaries;
}

const many = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word}${n}`);

export const cases: Case[] = [
  {
    name: '401 without a key',
    async run(server) {
      const body = { keywords: ['a'] };
      assertProblem(await server.request('POST', PATH, { body, key: null }), 401, 'unauthenticated');
    },
  },
  {
    name: '1 to 32 keywords are accepted',
    async run(server) {
      assertInvalid(await search(server, {}), 'keywords');
      assertInvalid(await search(server, { keywords: [] }), 'keywords');
      assertInvalid(await search(server, { keywords: many(33, 'word') }), 'keywords');
      assertSummaries(await search(server, { keywords: many(1, 'word') }));
      assertSummaries(await search(server, { keywords: many(32, 'word') }));
    },
  },
  {
    name: 'a keyword must not be blank, and is text',
    async run(server) {
      for (const wrong of ['', ' \t\n', '\u0085\u00a0', null, 7, ['a'], 'a\0b', '\ud800'])
        assertInvalid(await search(server, { keywords: ['a', wrong] }), 'keywords[1]');
      for (const wrong of [null, 'a', 7, { a: 1 }])
        assertInvalid(await search(server, { keywords: wrong }), 'keywords');
    },
  },
  {
    name: '0 to 50 domains are accepted, and none, null and an empty list are equivalent',
    async run(server) {
      const keywords = ['api'];
      const expected = assertSummaries(await search(server, { keywords }));
      for (const domains of [[], null])
        assert.deepEqual(assertSummaries(await search(server, { keywords, domains })), expected);
      assertSummaries(await search(server, { keywords, domains: many(50, 'D') }));
      assertInvalid(await search(server, { keywords, domains: many(51, 'D') }), 'domains');
      assertInvalid(await search(server, { keywords, domains: [7] }), 'domains[0]');
    },
  },
  {
    name: 'no match is an empty list',
    async run(server) {
      const { json } = await search(server, { keywords: ['qzqzqzqzqz'] });
      assert.deepEqual(json, { summaries: [] });
      const none = await search(server, { keywords: ['api'], domains: ['NO_SUCH_DOMAIN'] });
      assert.deepEqual(none.json, { summaries: [] });
    },
  },
  {
    name: 'keywords without letters, and with the syntax of queries, are harmless',
    async run(server) {
      const odd = ['!!!', "'", "a' | 'b", 'a & !b:*', '\\', '<->', ':*', '%', '💥', 'a'.repeat(1000)];
      for (const keyword of odd) assertSummaries(await search(server, { keywords: [keyword] }));
      assertSummaries(await search(server, { keywords: odd }));
    },
  },
  {
    name: 'every error is listed, and a misspelled field is refused',
    async run(server) {
      assertInvalid(
        await search(server, { keywords: [], domains: many(51, 'D'), Domains: [] }),
        'keywords',
        'domains',
        'Domains',
      );
    },
  },
  {
    name: 'other methods return 405',
    async run(server) {
      assertProblem(await server.request('GET', PATH), 405, 'method_not_allowed');
    },
  },
  {
    name: 'domains narrow the result, in any case',
    needsRepository: true,
    async run(server) {
      const keywords = [server.repository!];
      for (const { domain } of assertSummaries(await search(server, { keywords }))) {
        const narrowed = assertSummaries(await search(server, { keywords, domains: [domain.toLowerCase()] }));
        assert.ok(narrowed.length > 0 && narrowed.every((each) => each.domain === domain));
      }
    },
  },
];
