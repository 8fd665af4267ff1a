/** GET /api/v2/discussions/by-branch. */
import assert from 'node:assert/strict';
import {
  type Answer,
  assertInvalid,
  assertProblem,
  assertStatus,
  type Case,
  type Server,
} from '../server.ts';

const PATH = '/api/v2/discussions/by-branch';

const ask = (server: Server, query: Record<string, string>, key?: null): Promise<Answer> =>
  server.request('GET', `${PATH}?${new URLSearchParams(query)}`, key === null ? { key } : {});

/** On the branch with a review, if the command was given one. */
const ofBranch = (server: Server, query: Record<string, string> = {}) =>
  ask(server, { repository: server.repository!, branch: server.branch ?? 'main', ...query });

function assertDiscussions(answer: Answer): { id: string; status: string }[] {
  assertStatus(answer, 200);
  assert.ok(Array.isArray(answer.json));
  const fields = [
    'commentedCode',
    'comments',
    'endLine',
    'file',
    'id',
    'reviewerTitle',
    'startLine',
    'status',
  ];
  for (const discussion of answer.json) {
    assert.deepEqual(Object.keys(discussion).toSorted(), fields);
    assert.match(discussion.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.ok(['open', 'resolved', 'addressed'].includes(discussion.status));
    assert.ok(discussion.endLine >= discussion.startLine && discussion.startLine >= 0);
    if (discussion.startLine === 0) assert.deepEqual([discussion.endLine, discussion.commentedCode], [0, '']);
    assert.equal(typeof discussion.reviewerTitle, 'string');
    const times = discussion.comments.map((comment: Record<string, string>) => {
      assert.deepEqual(Object.keys(comment).toSorted(), ['author', 'body', 'createdAt']);
      assert.match(comment.createdAt!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      return comment.createdAt;
    });
    assert.ok(times.length > 0);
    assert.deepEqual(times, times.toSorted());
  }
  return answer.json;
}

export const cases: Case[] = [
  {
    name: '401 without a key',
    run: async (server) =>
      assertProblem(await ask(server, { repository: 'a', branch: 'b' }, null), 401, 'unauthenticated'),
  },
  {
    name: '400 lists every missing or invalid parameter',
    async run(server) {
      assertInvalid(await ask(server, {}), 'repository', 'branch');
      assertInvalid(
        await ask(server, { repository: ' ', branch: '', status: 'closed' }),
        'repository',
        'branch',
        'status',
      );
      for (const status of ['resolved', 'addressed', 'OPEN', 'true'])
        assertInvalid(await ask(server, { repository: 'a', branch: 'b', status }), 'status');
    },
  },
  {
    name: '400 for a parameter that is misspelled in its case only, or repeated',
    async run(server) {
      assertProblem(await ask(server, { Repository: 'a', branch: 'b' }), 400, 'invalid_request');
      const repeated = await server.request('GET', `${PATH}?repository=a&branch=b&branch=c`);
      assertProblem(repeated, 400, 'invalid_request');
    },
  },
  {
    name: '404 for an unknown repository',
    run: async (server) =>
      assertProblem(await ask(server, { repository: 'no-such/repository', branch: 'b' }), 404, 'not_found'),
  },
  {
    name: 'an empty list for a branch without a pull request, whatever the status',
    needsRepository: true,
    async run(server) {
      const filters: Record<string, string>[] = [{}, { status: 'open' }, { status: 'all' }, { status: '' }];
      for (const status of filters) {
        const answer = await ofBranch(server, { branch: 'no-such-branch', ...status });
        assert.deepEqual(assertDiscussions(answer), []);
      }
    },
  },
  {
    name: 'only open discussions by default, and all of them on request',
    needsRepository: true,
    async run(server) {
      const open = assertDiscussions(await ofBranch(server));
      assert.ok(open.every(({ status }) => status === 'open'));
      assert.deepEqual(assertDiscussions(await ofBranch(server, { status: 'open' })), open);
      const all = assertDiscussions(await ofBranch(server, { status: 'all' }));
      assert.deepEqual(
        all.filter(({ status }) => status === 'open'),
        open,
      );
    },
  },
  {
    name: 'the reply is not cached, and takes the last part of the name in any case',
    needsRepository: true,
    async run(server) {
      const answer = await ofBranch(server);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const leaf = server.repository!.split('/').at(-1)!.toUpperCase();
      assert.deepEqual((await ofBranch(server, { repository: leaf })).json, answer.json);
    },
  },
  {
    name: '405 for another method',
    async run(server) {
      const answer = await server.request('POST', PATH, { body: {} });
      assertProblem(answer, 405, 'method_not_allowed');
      assert.match(answer.headers.get('allow') ?? '', /GET/);
    },
  },
];
