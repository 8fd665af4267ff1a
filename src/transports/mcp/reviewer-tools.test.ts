/** list_reviewers, and what update_plan says when plans are turned off, over real HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { connect, GENERATIONS } from '../../../test/mcp/clients.ts';
import { callTool, failTool, readPages } from '../../../test/mcp/tool-calls.ts';

const service = await startTestService();
const { acme } = service;
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]!);
});

const as = withSession(acme.admin);
const change = (key: string, body: object) =>
  service.request('PATCH', `/api/v2/organization/switches/${key}`, { as, body });

it('returns reviewers, settings with conditions, and excluded paths', async () => {
  const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
  const web = await makeRepositoryRow(service, acme.id, { name: 'acme/web' });
  for (const { id } of [api, web]) {
    await service.request('PUT', `/api/v2/repositories/${id}/excluded-paths`, {
      as,
      body: { paths: ['dist/'] },
    });
  }
  await service.request('POST', '/api/v2/reviewers', {
    as,
    body: {
      title: 'No raw SQL\u200b',
      kind: 'instructions',
      body: 'x',
      scopes: [{ repoId: api.id, paths: ['src/**'] }],
      enabled: false,
    },
  });
  await change('review_on_every_push', { conditions: { maxLines: 500 } });
  const { structured: all } = await callTool(client, 'list_reviewers', {});
  expect(all.reviewers).toHaveLength(11);
  expect(all.settings).toHaveLength(9);
  expect(all.settings).toContainEqual({ key: 'planner', enabled: true });
  expect(all.settings).toContainEqual({
    key: 'review_on_every_push',
    enabled: true,
    conditions: { maxLines: 500 },
  });
  expect(all.excludedPaths).toEqual([
    { repoName: 'acme/api', paths: ['dist/'] },
    { repoName: 'acme/web', paths: ['dist/'] },
  ]);
  const { structured: off } = await callTool(client, 'list_reviewers', { enabled: false, repoName: 'API' });
  expect(off.reviewers).toEqual([
    {
      title: 'No raw SQL[U+200B]',
      description: '',
      enabled: false,
      needsModel: true,
      version: 1,
      scopes: [{ repoName: 'acme/api', paths: ['src/**'] }],
      openDiscussions: 0,
    },
  ]);
  expect(off.excludedPaths).toEqual([{ repoName: 'acme/api', paths: ['dist/'] }]);
  expect(off.untrusted).toContain('`title`');
  const pages = await readPages(client, 'list_reviewers', { maxTokens: 2000 });
  expect(pages.flatMap(({ reviewers }) => reviewers)).toEqual(all.reviewers);
  expect(await failTool(client, 'list_reviewers', { repoName: 'none' })).toContain('none');
});

it('update_plan says that plans are turned off', async () => {
  const post = { sessionId: randomUUID(), content: '# Plan', agentVendor: 'codex' };
  await change('planner', { enabled: false });
  expect(await failTool(client, 'update_plan', post)).toContain('Plans are turned off in your organization');
  await change('planner', { enabled: true });
  expect((await callTool(client, 'update_plan', post)).structured).toMatchObject({ status: 'pending' });
});
