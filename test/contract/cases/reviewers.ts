/** GET /api/v2/reviewer/config and GET /api/v2/reviewer/reviewers. */
import assert from 'node:assert/strict';
import {
  type Answer,
  assertInvalid,
  assertProblem,
  assertStatus,
  type Case,
  type Server,
} from '../server.ts';

const CONFIG = '/api/v2/reviewer/config';
const REVIEWERS = '/api/v2/reviewer/reviewers';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SWITCHES = [
  ...['auto_approve_clean', 'auto_resolve_addressed', 'generate_description', 'planner'],
  ...['re_review_after_resolution', 'review_draft_pull_requests', 'review_on_every_push'],
  ...['review_only_on_request', 'self_approval'],
];
/** Settings that take conditions. */
const ABOUT_REVIEWS = /^(review_|re_review_|auto_approve_clean|generate_description)/;
const BUILT_IN = [
  ...['Breaking Changes', 'Dependency Risk', 'Documentation Drift', 'Error Handling', 'Logic Errors'],
  ...['Plan Conformance', 'Secrets', 'Security', 'Tests Missing', 'Type Inconsistencies'],
];

interface Reviewer {
  id: string;
  title: string;
  enabled: boolean;
  canEdit: boolean;
  scopes: { repoId: string | null; repoName: string | null; paths: string[] }[];
}

const ask = (server: Server, query: Record<string, string> = {}, key?: null): Promise<Answer> =>
  server.request('GET', `${REVIEWERS}?${new URLSearchParams(query)}`, key === null ? { key } : {});

async function list(server: Server, query: Record<string, string> = {}): Promise<Reviewer[]> {
  const answer = await ask(server, query);
  assertStatus(answer, 200);
  assert.deepEqual(Object.keys(answer.json), ['reviewers']);
  return answer.json.reviewers;
}

const idsOf = (reviewers: Reviewer[]) => reviewers.map(({ id }) => id);
const keysOf = (value: object) => Object.keys(value).toSorted();

const configCases: Case[] = [
  {
    name: 'config: the nine switches by name, each with its own id',
    async run(server) {
      const answer = await server.request('GET', CONFIG);
      assertStatus(answer, 200);
      assert.deepEqual(keysOf(answer.json), ['excludedConfig', 'orgConfig']);
      const { orgConfig } = answer.json;
      assert.deepEqual(
        orgConfig.map(({ key }: { key: string }) => key),
        SWITCHES,
      );
      const ids = new Set<string>();
      for (const row of orgConfig) {
        assert.deepEqual(keysOf(row), ['configurationId', 'configurationMetadata', 'enabled', 'key']);
        assert.match(row.configurationId, UUID);
        ids.add(row.configurationId);
        assert.equal(typeof row.enabled, 'boolean');
        assertMetadata(row.key, row.configurationMetadata);
      }
      assert.equal(ids.size, SWITCHES.length);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const again = await server.request('GET', CONFIG);
      assert.deepEqual(again.json.orgConfig, orgConfig);
    },
  },
  {
    name: 'config: excluded paths by the name of their repository',
    async run(server) {
      const { excludedConfig } = (await server.request('GET', CONFIG)).json;
      assert.ok(Array.isArray(excludedConfig));
      for (const row of excludedConfig) {
        assert.deepEqual(keysOf(row), ['paths', 'repoId', 'repoName']);
        assert.match(row.repoId, /^[0-9a-f-]{36}$/);
        assert.ok(row.paths.length > 0 && row.paths.every((path: unknown) => typeof path === 'string'));
      }
      const names = excludedConfig.map(({ repoName }: { repoName: string }) => repoName);
      assert.equal(new Set(names).size, names.length);
    },
  },
  {
    name: 'config: 401 without a key, 405 for another method, near misses of no parameter',
    async run(server) {
      assertProblem(await server.request('GET', CONFIG, { key: null }), 401, 'unauthenticated');
      assertProblem(await server.request('POST', CONFIG, { body: {} }), 405, 'method_not_allowed');
      assertStatus(await server.request('GET', `${CONFIG}?anything=1`), 200);
    },
  },
];

/** Always an object; conditions only on the switches about reviews. */
function assertMetadata(key: string, metadata: Record<string, unknown>): void {
  assert.ok(metadata !== null && typeof metadata === 'object' && !Array.isArray(metadata));
  if (!ABOUT_REVIEWS.test(key)) assert.deepEqual(metadata, {});
  for (const [name, value] of Object.entries(metadata)) {
    if (name === 'maxLines' || name === 'maxFiles') assert.ok(Number.isInteger(value));
    else assert.ok(['repositories', 'authors', 'excludedPaths'].includes(name) && Array.isArray(value), name);
  }
}

export const cases: Case[] = [
  ...configCases,
  {
    name: 'reviewers: every field, the ten built-in ones first, then by title',
    async run(server) {
      const reviewers = await list(server);
      const titles = reviewers.map(({ title }) => title);
      assert.deepEqual(titles.slice(0, BUILT_IN.length), BUILT_IN);
      const folded = titles.slice(BUILT_IN.length).map((title) => title.toLowerCase());
      assert.deepEqual(
        folded,
        folded.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
      );
      for (const [index, reviewer] of reviewers.entries()) {
        assert.deepEqual(keysOf(reviewer), [
          ...['activeVersion', 'canEdit', 'createdAt', 'description', 'discussions', 'enabled', 'id'],
          ...['needsModel', 'scopes', 'title', 'updatedAt'],
        ]);
        assertReviewer(reviewer as never);
        if (index >= BUILT_IN.length) continue;
        assert.equal(reviewer.canEdit, false);
        assert.deepEqual(reviewer.scopes, [{ repoId: null, repoName: null, paths: [] }]);
      }
    },
  },
  {
    name: 'reviewers: `enabled` takes true, false, 1 and 0 in any case',
    async run(server) {
      const all = await list(server);
      const of = (enabled: boolean) => idsOf(all.filter((reviewer) => reviewer.enabled === enabled));
      for (const value of ['true', '1', 'TRUE', 'True'])
        assert.deepEqual(idsOf(await list(server, { enabled: value })), of(true), value);
      for (const value of ['false', '0', 'FALSE', 'fAlse'])
        assert.deepEqual(idsOf(await list(server, { enabled: value })), of(false), value);
      assert.deepEqual(idsOf(await list(server, { enabled: '' })), idsOf(all));
    },
  },
  {
    name: 'reviewers: 400 for another `enabled`, a blank or repeated parameter, or one in another case',
    async run(server) {
      for (const enabled of ['yes', 'no', '2', 'on', 'null', 'true ', '01'])
        assertInvalid(await ask(server, { enabled }), 'enabled');
      assertInvalid(await ask(server, { enabled: 'x', repoName: ' ' }), 'enabled', 'repoName');
      assertInvalid(await ask(server, { repoName: 'a'.repeat(301) }), 'repoName');
      for (const name of ['Enabled', 'reponame', 'repo_name'])
        assertProblem(await ask(server, { [name]: 'true' }), 400, 'invalid_request');
      const repeated = await server.request('GET', `${REVIEWERS}?enabled=1&enabled=1`);
      assertProblem(repeated, 400, 'invalid_request');
    },
  },
  {
    name: 'reviewers: 404 for an unknown `repoName`',
    run: async (server) =>
      assertProblem(await ask(server, { repoName: 'no-such/repository' }), 404, 'not_found'),
  },
  {
    name: 'reviewers: `repoName` keeps those that apply to the repository, by any form of its name',
    needsRepository: true,
    async run(server) {
      const name = server.repository!;
      const applying = (await list(server)).filter(({ scopes }) =>
        scopes.some(({ repoName }) => repoName === null || repoName === name),
      );
      const leaf = name.split('/').at(-1)!;
      for (const repoName of [name, name.toUpperCase(), leaf])
        assert.deepEqual(idsOf(await list(server, { repoName })), idsOf(applying));
      const both = applying.filter(({ enabled }) => enabled);
      assert.deepEqual(idsOf(await list(server, { repoName: name, enabled: 'true' })), idsOf(both));
    },
  },
  {
    name: 'reviewers: 401 without a key, 405 for another method, and never cached',
    async run(server) {
      assertProblem(await ask(server, {}, null), 401, 'unauthenticated');
      assertProblem(await server.request('POST', REVIEWERS, { body: {} }), 405, 'method_not_allowed');
      assert.equal((await ask(server)).headers.get('cache-control'), 'no-store');
    },
  },
];

function assertReviewer(reviewer: Record<string, never> & { discussions: Record<string, unknown>[] }): void {
  assert.match(reviewer.id!, UUID);
  for (const field of ['title', 'description']) assert.equal(typeof reviewer[field], 'string');
  for (const field of ['enabled', 'canEdit']) assert.equal(typeof reviewer[field], 'boolean');
  assert.ok(Number.isInteger(reviewer.activeVersion) && Number(reviewer.activeVersion) >= 1);
  for (const field of ['createdAt', 'updatedAt']) assert.match(reviewer[field]!, TIME);
  for (const scope of reviewer.scopes as unknown as Reviewer['scopes']) {
    assert.deepEqual(keysOf(scope), ['paths', 'repoId', 'repoName']);
    assert.equal(scope.repoId === null, scope.repoName === null);
    assert.ok(Array.isArray(scope.paths));
  }
  const { discussions } = reviewer;
  assert.ok(discussions.length <= 10);
  for (const discussion of discussions) {
    assert.deepEqual(keysOf(discussion), [
      ...['createdAt', 'file', 'id', 'prNumber', 'repoName', 'startLine', 'status'],
    ]);
    assert.ok(['open', 'resolved', 'addressed'].includes(discussion.status as string));
  }
  const times = discussions.map(({ createdAt }) => String(createdAt));
  assert.deepEqual(times, times.toSorted().toReversed());
}
