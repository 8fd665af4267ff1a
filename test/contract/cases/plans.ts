/** POST /api/v2/plans. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  assertPlan,
  type Fields,
  makePlan,
  PLANS,
  postPlan,
  validPlan,
  withoutKey,
} from '../plan-requests.ts';
import { assertInvalid, assertProblem, assertStatus, type Case } from '../server.ts';

const taken: [string, Fields, Fields?][] = [
  [
    'the required fields alone',
    {},
    { modelId: null, tokensUsed: null, repoNames: [], repoIds: [], repos: [] },
  ],
  [
    'every field',
    {
      repoNames: ['acme/api', 'web'],
      modelId: 'model-1',
      tokensUsed: { input_tokens: 12, output_tokens: 0 },
    },
    {
      repoNames: ['acme/api', 'web'],
      modelId: 'model-1',
      tokensUsed: { input_tokens: 12, output_tokens: 0 },
    },
  ],
  ['null in every optional field', { repoNames: null, repoIds: null, modelId: null, tokensUsed: null }],
  ['empty lists of repositories', { repoNames: [], repoIds: [] }, { repos: [] }],
  ['an upper-case series, answered in lower case', { seriesKey: randomUUID().toUpperCase() }],
  ['content of 1 character', { content: 'x' }, { title: 'x', content: 'x' }],
  ['content of 1 MiB', { content: `# Long\n${'x'.repeat(1_048_569)}` }, { title: 'Long' }],
  ['emoji and combining marks', { content: '# 👩‍👩‍👧‍👦 e\u0301' }, { title: '👩‍👩‍👧‍👦 e\u0301' }],
  ['content that deep nesting is in', { content: `${'> '.repeat(20_000)}x` }],
  ['the first heading as title', { content: 'Text\n\n## The change\n\n# Other' }, { title: 'The change' }],
  [
    'the first line as title, without a heading',
    { content: '\n  First line\nsecond' },
    { title: 'First line' },
  ],
  ['agentVendor claude-code', { agentVendor: 'claude-code' }, { agentVendor: 'claude-code' }],
  ['agentVendor cursor', { agentVendor: 'cursor' }, { agentVendor: 'cursor' }],
  ['an empty modelId', { modelId: '' }, { modelId: '' }],
  ['a modelId of 200 code points', { modelId: '😀'.repeat(200) }],
  ['tokens of 2^53 - 1', { tokensUsed: { input_tokens: 2 ** 53 - 1, output_tokens: 1 } }],
  ['100 repositories', { repoNames: Array.from({ length: 100 }, (_, n) => `acme/r${n}`) }],
  ['a repository name of 300 code points', { repoNames: ['😀'.repeat(300)] }],
  [
    'a repository named twice, kept once',
    { repoNames: ['acme/api', 'ACME/API'] },
    { repoNames: ['acme/api'] },
  ],
  ['fields it does not know', { color: 'red' }],
];

const refused: [string, Fields, ...string[]][] = [
  ['a missing seriesKey', { seriesKey: undefined }, 'seriesKey'],
  ['a missing content', { content: undefined }, 'content'],
  ['a missing agentVendor', { agentVendor: undefined }, 'agentVendor'],
  ['a malformed seriesKey', { seriesKey: '123' }, 'seriesKey'],
  ['empty content', { content: '' }, 'content'],
  ['content of white space', { content: ' \n\t\u00a0\u2003' }, 'content'],
  ['content of 1,048,577 characters', { content: 'x'.repeat(1_048_577) }, 'content'],
  ['NUL in content', { content: 'a\0b' }, 'content'],
  ['half a surrogate pair in content', { content: '\ud83d' }, 'content'],
  ['content that is a number', { content: 1 }, 'content'],
  ['an agentVendor nobody knows', { agentVendor: 'emacs' }, 'agentVendor'],
  ['an agentVendor in another case', { agentVendor: 'Codex' }, 'agentVendor'],
  ['repoNames that is text', { repoNames: 'acme/api' }, 'repoNames'],
  ['101 repositories', { repoNames: Array(101).fill('x') }, 'repoNames'],
  ['an empty repository name', { repoNames: [''] }, 'repoNames[0]'],
  ['a repository name of 301 characters', { repoNames: ['a', 'x'.repeat(301)] }, 'repoNames[1]'],
  ['a malformed repoId', { repoIds: ['x'] }, 'repoIds[0]'],
  ['a repoId that nobody has', { repoIds: [randomUUID()] }, 'repoIds[0]'],
  ['a modelId of 201 characters', { modelId: 'x'.repeat(201) }, 'modelId'],
  ['tokensUsed that is a number', { tokensUsed: 1 }, 'tokensUsed'],
  [
    'negative and fractional tokens',
    { tokensUsed: { input_tokens: -1, output_tokens: 0.5 } },
    'tokensUsed.input_tokens',
    'tokensUsed.output_tokens',
  ],
  ['tokens of 2^53', { tokensUsed: { input_tokens: 2 ** 53, output_tokens: 1 } }, 'tokensUsed.input_tokens'],
  ['a near miss of a name', { series_key: randomUUID() }, 'series_key'],
  [
    'several things at once, all of them listed',
    { seriesKey: 1, content: '', agentVendor: 'x', repoIds: [1] },
    'seriesKey',
    'content',
    'agentVendor',
    'repoIds[0]',
  ],
];

export const cases: Case[] = [
  ...taken.map(
    ([what, fields, expected]): Case => ({
      name: `201 for ${what}`,
      async run(server) {
        const sent = { ...validPlan(), ...fields };
        const answer = await postPlan(server, sent);
        assertStatus(answer, 201);
        assertPlan(answer.json);
        const { content, seriesId, seriesKey, status, version } = answer.json;
        assert.deepEqual(
          { content, seriesId, seriesKey, status, version },
          {
            content: sent.content,
            seriesId: String(sent.seriesKey).toLowerCase(),
            seriesKey: String(sent.seriesKey).toLowerCase(),
            status: 'pending',
            version: 1,
          },
        );
        for (const [name, value] of Object.entries(expected ?? {}))
          assert.deepEqual(answer.json[name], value, name);
      },
    }),
  ),
  ...refused.map(
    ([what, fields, ...paths]): Case => ({
      name: `400 for ${what}`,
      run: async (server) => assertInvalid(await postPlan(server, fields), ...paths),
    }),
  ),
  ...withoutKey((server, sent) => postPlan(server, {}, sent)),
  {
    name: '200 for every later post, each of which adds a version, even with the same content',
    async run(server) {
      const plan = validPlan();
      const first = await postPlan(server, { ...plan, repoNames: ['acme/api'] });
      const same = await postPlan(server, plan);
      const other = await postPlan(server, { ...plan, content: '# Other', agentVendor: 'cursor' });
      assert.deepEqual([first.status, same.status, other.status], [201, 200, 200]);
      assert.deepEqual(
        [first, same, other].map(({ json }) => [json.version, json.title, json.agentVendor]),
        [
          [1, 'Contract test', 'codex'],
          [2, 'Contract test', 'codex'],
          [3, 'Other', 'cursor'],
        ],
      );
      assert.deepEqual(other.json.repoNames, ['acme/api'], 'the earlier repositories stay');
      assert.equal(other.json.createdAt, first.json.createdAt);
      assert.equal(new Set([first, same, other].map(({ json }) => json.versionId)).size, 3);
    },
  },
  {
    name: 'the series key is case-insensitive',
    async run(server) {
      const { seriesId } = await makePlan(server);
      const again = await postPlan(server, { seriesKey: seriesId.toUpperCase() });
      assertStatus(again, 200);
      assert.equal(again.json.version, 2);
    },
  },
  {
    name: '20 concurrent first posts of a series: one 201, the others 200, with versions 1 to 20',
    async run(server) {
      const seriesKey = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => postPlan(server, { seriesKey, content: `# ${n}` })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [...Array(19).fill(200), 201]);
      const versions = answers.map(({ json }) => json.version).toSorted((left, right) => left - right);
      assert.deepEqual(
        versions,
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
    },
  },
  {
    name: 'the same Idempotency-Key and body repeat the first reply and add no second version',
    async run(server) {
      const body = validPlan();
      const headers = { 'idempotency-key': randomUUID() };
      const [first, again] = [
        await postPlan(server, body, { headers }),
        await postPlan(server, body, { headers }),
      ];
      assert.deepEqual([first.status, again.status], [201, 201]);
      assert.equal(again.text, first.text);
      const next = await postPlan(server, body);
      assert.equal(next.json.version, 2);
    },
  },
  {
    name: '409 for the same Idempotency-Key with another body',
    async run(server) {
      const headers = { 'idempotency-key': randomUUID() };
      assertStatus(await postPlan(server, {}, { headers }), 201);
      assertProblem(await postPlan(server, {}, { headers }), 409, 'idempotency_conflict');
    },
  },
  {
    name: '413 for a body larger than 2 MiB',
    run: async (server) =>
      assertProblem(
        await postPlan(server, { content: 'x'.repeat(2 * 1024 * 1024) }),
        413,
        'payload_too_large',
      ),
  },
  {
    name: '403 for listing plans with a key',
    run: async (server) => assertProblem(await server.request('GET', PLANS), 403, 'key_not_accepted'),
  },
];
