/** /api/v2/plans/:seriesId/comments: list, add, edit and triage comments. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  assertComment,
  type Fields,
  listComments,
  makeComment,
  makePlan,
  PLANS,
  postComment,
  postPlan,
  withoutKey,
  wrongSeries,
} from '../plan-requests.ts';
import {
  type Answer,
  assertInvalid,
  assertProblem,
  assertStatus,
  type Case,
  type Server,
} from '../server.ts';

const taken: [string, Fields, Fields?][] = [
  ['the required fields alone', {}, { parentId: null, anchor: null, triageState: null }],
  ['null in every optional field', { parentId: null, anchor: null }, { parentId: null, anchor: null }],
  ['a body of 1 character', { body: 'x' }, { body: 'x' }],
  ['a body of 65,536 characters', { body: 'x'.repeat(65_536) }],
  ['a body of 65,536 code points outside the basic plane', { body: '😀'.repeat(65_536) }],
  ['a body of 65,536 combining marks', { body: `e${'\u0301'.repeat(65_535)}` }],
  ['white space around the text, kept', { body: '  x \n' }, { body: '  x \n' }],
  ['an anchor of free text', { anchor: 'somewhere near the end' }, { anchor: 'somewhere near the end' }],
  ['an empty anchor', { anchor: '' }, { anchor: '' }],
  ['an anchor of 65,536 characters', { anchor: 'x'.repeat(65_536) }],
  ['an anchor that is broken JSON', { anchor: '{"quote":' }, { anchor: '{"quote":' }],
  ['fields it does not know', { color: 'red' }],
];

const refused: [string, Fields, ...string[]][] = [
  ['a missing body', { body: undefined }, 'body'],
  ['a missing versionId', { versionId: undefined }, 'versionId'],
  ['an empty body', { body: '' }, 'body'],
  ['a body of white space', { body: ' \n\t' }, 'body'],
  ['a body of 65,537 characters', { body: 'x'.repeat(65_537) }, 'body'],
  ['a body of 65,537 code points', { body: '😀'.repeat(65_537) }, 'body'],
  ['NUL in the body', { body: '\0' }, 'body'],
  ['half a surrogate pair in the body', { body: 'x\udc00' }, 'body'],
  ['a body that is a list', { body: ['x'] }, 'body'],
  ['a malformed versionId', { versionId: 'x' }, 'versionId'],
  ['a versionId that nobody has', { versionId: randomUUID() }, 'versionId'],
  ['a malformed parentId', { parentId: '1' }, 'parentId'],
  ['a parentId that nobody has', { parentId: randomUUID() }, 'parentId'],
  ['an anchor of 65,537 characters', { anchor: 'x'.repeat(65_537) }, 'anchor'],
  ['NUL in the anchor', { anchor: '\0' }, 'anchor'],
  ['an anchor that is an object', { anchor: { quote: 'x' } }, 'anchor'],
  ['a near miss of a name', { version_id: randomUUID() }, 'version_id'],
  [
    'a versionId and a parentId that nobody has, both listed',
    { versionId: randomUUID(), parentId: randomUUID() },
    'versionId',
    'parentId',
  ],
];

const patch = (
  server: Server,
  plan: { seriesId: string },
  commentId: string,
  body: unknown,
): Promise<Answer> => server.request('PATCH', `${PLANS}/${plan.seriesId}/comments/${commentId}`, { body });

const patches: [string, unknown, Fields][] = [
  ['a new body', { body: 'New.' }, { body: 'New.', triageState: null }],
  ['triageState open', { triageState: 'open' }, { triageState: 'open' }],
  ['triageState dismissed', { triageState: 'dismissed' }, { triageState: 'dismissed' }],
  ['both at once', { body: 'New.', triageState: 'open' }, { body: 'New.', triageState: 'open' }],
  ['an empty object, which changes nothing', {}, { body: 'A comment.', triageState: null }],
  ['null in body, which is the same as absent', { body: null }, { body: 'A comment.' }],
  ['a body of 65,536 code points', { body: '😀'.repeat(65_536) }, {}],
];

const wrongPatches: [string, unknown, ...string[]][] = [
  ['an empty body', { body: '' }, 'body'],
  ['a body of 65,537 characters', { body: 'x'.repeat(65_537) }, 'body'],
  ['an unknown triageState', { triageState: 'resolved' }, 'triageState'],
  ['a triageState that is a number', { triageState: 1 }, 'triageState'],
  ['no field that is known', { color: 'red' }, ''],
  ['a near miss of a name', { triage_state: 'open', body: 'x' }, 'triage_state'],
];

export const cases: Case[] = [
  ...taken.map(
    ([what, fields, expected]): Case => ({
      name: `201 for ${what}, and it is in the list`,
      async run(server) {
        const plan = await makePlan(server);
        const answer = await postComment(server, plan, fields);
        assertStatus(answer, 201);
        assertComment(answer.json);
        if (fields.body) assert.equal(answer.json.body === fields.body, true);
        for (const [name, value] of Object.entries(expected ?? {}))
          assert.deepEqual(answer.json[name], value, name);
        const list = await listComments(server, plan);
        assertStatus(list, 200);
        assert.deepEqual(list.json, { comments: [answer.json], mutedThreadIds: [] });
      },
    }),
  ),
  ...refused.map(
    ([what, fields, ...paths]): Case => ({
      name: `400 for ${what}, and nothing is written`,
      async run(server) {
        const plan = await makePlan(server);
        assertInvalid(await postComment(server, plan, fields), ...paths);
        assert.deepEqual((await listComments(server, plan)).json, { comments: [], mutedThreadIds: [] });
      },
    }),
  ),
  ...wrongSeries((server, seriesId) => postComment(server, { seriesId, versionId: randomUUID() })),
  ...wrongSeries((server, seriesId) => listComments(server, { seriesId })),
  ...wrongSeries((server, seriesId) => patch(server, { seriesId }, randomUUID(), { triageState: 'open' })),
  ...withoutKey((server, sent) =>
    postComment(server, { seriesId: randomUUID(), versionId: randomUUID() }, {}, sent),
  ),
  ...withoutKey((server, sent) => server.request('GET', `${PLANS}/${randomUUID()}/comments`, sent)),
  ...withoutKey((server, sent) =>
    server.request('PATCH', `${PLANS}/${randomUUID()}/comments/${randomUUID()}`, { body: {}, ...sent }),
  ),
  {
    name: '400 for a version of another plan and a parent of another series',
    async run(server) {
      const [plan, other] = [await makePlan(server), await makePlan(server)];
      const parent = await makeComment(server, other);
      assertInvalid(await postComment(server, plan, { versionId: other.versionId }), 'versionId');
      assertInvalid(await postComment(server, plan, { parentId: parent.id }), 'parentId');
    },
  },
  {
    name: 'comments oldest first, on any version, with replies to replies',
    async run(server) {
      const plan = await makePlan(server);
      const next = (await postPlan(server, { seriesKey: plan.seriesId, content: '# Two' })).json;
      const first = await makeComment(server, next);
      const second = await makeComment(server, plan, { parentId: first.id });
      const third = await makeComment(server, plan, { parentId: second.id });
      const { comments } = (await listComments(server, plan)).json;
      assert.deepEqual(
        comments.map((each: Fields) => [each.id, each.parentId, each.versionId]),
        [
          [first.id, null, next.versionId],
          [second.id, first.id, plan.versionId],
          [third.id, second.id, plan.versionId],
        ],
      );
    },
  },
  {
    name: '50 concurrent comments: none is lost',
    async run(server) {
      const plan = await makePlan(server);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => postComment(server, plan, { body: `Comment ${n}` })),
      );
      for (const answer of answers) assertStatus(answer, 201);
      const { comments } = (await listComments(server, plan)).json;
      assert.deepEqual(
        comments.map((each: Fields) => each.id).toSorted(),
        answers.map(({ json }) => json.id).toSorted(),
      );
    },
  },
  {
    name: 'the same Idempotency-Key and body repeat the first reply and add one comment; another body is 409',
    async run(server) {
      const plan = await makePlan(server);
      const headers = { 'idempotency-key': randomUUID() };
      const first = await postComment(server, plan, {}, { headers });
      const again = await postComment(server, plan, {}, { headers });
      assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
      assert.equal((await listComments(server, plan)).json.comments.length, 1);
      assertProblem(
        await postComment(server, plan, { body: 'Other.' }, { headers }),
        409,
        'idempotency_conflict',
      );
    },
  },
  ...patches.map(
    ([what, body, expected]): Case => ({
      name: `200 for a PATCH with ${what}`,
      async run(server) {
        const plan = await makePlan(server);
        const comment = await makeComment(server, plan);
        const answer = await patch(server, plan, comment.id, body);
        assertStatus(answer, 200);
        assertComment(answer.json);
        for (const [name, value] of Object.entries(expected))
          assert.deepEqual(answer.json[name], value, name);
        assert.deepEqual((await listComments(server, plan)).json.comments, [answer.json]);
      },
    }),
  ),
  ...wrongPatches.map(
    ([what, body, ...paths]): Case => ({
      name: `400 for a PATCH with ${what}`,
      async run(server) {
        const plan = await makePlan(server);
        const comment = await makeComment(server, plan);
        assertInvalid(await patch(server, plan, comment.id, body), ...paths);
        const [kept] = (await listComments(server, plan)).json.comments;
        assert.deepEqual([kept.body, kept.triageState], ['A comment.', null]);
      },
    }),
  ),
  {
    name: 'null clears triageState',
    async run(server) {
      const plan = await makePlan(server);
      const comment = await makeComment(server, plan);
      assertStatus(await patch(server, plan, comment.id, { triageState: 'open' }), 200);
      const cleared = await patch(server, plan, comment.id, { triageState: null });
      assert.deepEqual([cleared.status, cleared.json.triageState], [200, null]);
    },
  },
  {
    name: '404 for a comment of another series, and for one that does not exist',
    async run(server) {
      const [plan, other] = [await makePlan(server), await makePlan(server)];
      const comment = await makeComment(server, other);
      assertProblem(await patch(server, plan, comment.id, { triageState: 'open' }), 404, 'not_found');
      assertProblem(await patch(server, plan, randomUUID(), { triageState: 'open' }), 404, 'not_found');
      assertStatus(await patch(server, plan, 'x', { triageState: 'open' }), 400);
    },
  },
];
