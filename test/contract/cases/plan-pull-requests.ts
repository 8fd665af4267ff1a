/** POST /api/v2/plans/:seriesId/pull-requests. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  assertPlan,
  type Fields,
  makePlan,
  PLANS,
  postPlan,
  withoutKey,
  wrongSeries,
} from '../plan-requests.ts';
import { assertInvalid, assertProblem, assertStatus, type Case, type Sent, type Server } from '../server.ts';

const link = (server: Server, plan: { seriesId: string }, fields: Fields = {}, sent: Sent = {}) =>
  server.request('POST', `${PLANS}/${plan.seriesId}/pull-requests`, {
    body: { prNumber: 7, ...fields },
    ...sent,
  });

const linksOf = ({ pullRequests }: { pullRequests: Fields[] }) =>
  pullRequests.map(({ prNumber, repoId, repoName }) => [prNumber, repoId, repoName]);

const taken: [string, Fields, Fields, unknown[][]][] = [
  ['a number alone, on a plan without repositories', {}, {}, [[7, null, null]]],
  ['a number alone, on a plan with one', { repoNames: ['acme/api'] }, {}, [[7, null, 'acme/api']]],
  ['a number alone, on a plan with two', { repoNames: ['acme/api', 'acme/web'] }, {}, [[7, null, null]]],
  ['a name that is not indexed', {}, { repoName: 'acme/other' }, [[7, null, 'acme/other']]],
  ['null in the optional fields', {}, { repoName: null, repoId: null }, [[7, null, null]]],
  ['number 1', {}, { prNumber: 1 }, [[1, null, null]]],
  ['number 2,147,483,647', {}, { prNumber: 2_147_483_647 }, [[2_147_483_647, null, null]]],
  ['a name of 300 code points', {}, { repoName: '😀'.repeat(300) }, [[7, null, '😀'.repeat(300)]]],
];

const refused: [string, Fields, ...string[]][] = [
  ['a missing prNumber', { prNumber: undefined }, 'prNumber'],
  ['null in prNumber', { prNumber: null }, 'prNumber'],
  ['number 0', { prNumber: 0 }, 'prNumber'],
  ['a negative number', { prNumber: -1 }, 'prNumber'],
  ['a fraction', { prNumber: 1.5 }, 'prNumber'],
  ['number 2,147,483,648', { prNumber: 2_147_483_648 }, 'prNumber'],
  ['number 2^53', { prNumber: 2 ** 53 }, 'prNumber'],
  ['a number as text', { prNumber: '7' }, 'prNumber'],
  ['an empty repoName', { repoName: '' }, 'repoName'],
  ['a repoName of 301 characters', { repoName: 'x'.repeat(301) }, 'repoName'],
  ['a malformed repoId', { repoId: 'x' }, 'repoId'],
  ['a repoId that nobody has', { repoId: randomUUID() }, 'repoId'],
  ['a near miss of a name', { pr_number: 7 }, 'pr_number'],
];

export const cases: Case[] = [
  ...taken.map(
    ([what, plan, fields, links]): Case => ({
      name: `200 for ${what}, and the plan is implemented`,
      async run(server) {
        const made = await makePlan(server, plan);
        const answer = await link(server, made, fields);
        assertStatus(answer, 200);
        assertPlan(answer.json);
        assert.equal(answer.json.status, 'implemented');
        assert.deepEqual(linksOf(answer.json), links);
      },
    }),
  ),
  ...refused.map(
    ([what, fields, ...paths]): Case => ({
      name: `400 for ${what}, and the plan stays as it was`,
      async run(server) {
        const plan = await makePlan(server);
        assertInvalid(await link(server, plan, fields), ...paths);
        const again = await postPlan(server, { seriesKey: plan.seriesId });
        assert.deepEqual([again.json.status, again.json.pullRequests], ['pending', []]);
      },
    }),
  ),
  ...wrongSeries((server, seriesId) => link(server, { seriesId })),
  ...withoutKey((server, sent) => link(server, { seriesId: randomUUID() }, {}, sent)),
  {
    name: 'linking the same pull request again adds no second link; another one does',
    async run(server) {
      const plan = await makePlan(server, { repoNames: ['acme/api'] });
      await link(server, plan);
      await link(server, plan, { repoName: 'ACME/API' });
      const answer = await link(server, plan, { prNumber: 8 });
      assert.deepEqual(linksOf(answer.json), [
        [7, null, 'acme/api'],
        [8, null, 'acme/api'],
      ]);
    },
  },
  {
    name: 'pull requests of two repositories with the same last part of the name are distinct',
    async run(server) {
      const plan = await makePlan(server, { repoNames: ['api'] });
      await link(server, plan, { repoName: 'acme/api' });
      const answer = await link(server, plan, { repoName: 'globex/api' });
      assert.deepEqual(linksOf(answer.json), [
        [7, null, 'acme/api'],
        [7, null, 'globex/api'],
      ]);
    },
  },
  {
    name: 'a new version with other content makes the plan pending again, each time',
    async run(server) {
      const plan = await makePlan(server);
      await link(server, plan);
      const same = await postPlan(server, { seriesKey: plan.seriesId });
      assert.equal(same.json.status, 'implemented', 'the same content keeps the status');
      const next = await postPlan(server, { seriesKey: plan.seriesId, content: '# Other' });
      assert.equal(next.json.status, 'pending');
      const again = await link(server, plan);
      assert.deepEqual([again.json.status, again.json.pullRequests.length], ['implemented', 1]);
    },
  },
  {
    name: '20 concurrent links: each is added once',
    async run(server) {
      const plan = await makePlan(server);
      const numbers = Array.from({ length: 20 }, (_, n) => (n % 10) + 1);
      const answers = await Promise.all(numbers.map((prNumber) => link(server, plan, { prNumber })));
      for (const answer of answers) assertStatus(answer, 200);
      const { json } = await link(server, plan, { prNumber: 1 });
      assert.deepEqual(
        json.pullRequests.map((each: Fields) => each.prNumber).toSorted((a: number, b: number) => a - b),
        Array.from({ length: 10 }, (_, n) => n + 1),
      );
    },
  },
  {
    name: 'the same Idempotency-Key repeats the first reply; another body is 409',
    async run(server) {
      const plan = await makePlan(server);
      const headers = { 'idempotency-key': randomUUID() };
      const first = await link(server, plan, {}, { headers });
      const again = await link(server, plan, {}, { headers });
      assert.deepEqual([first.status, again.text], [200, first.text]);
      assertProblem(await link(server, plan, { prNumber: 8 }, { headers }), 409, 'idempotency_conflict');
    },
  },
];
