/** Posting plans: their repositories, versions and series. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  act,
  postComment,
  postPlan,
  postVersion,
  read,
  SAMPLE_PLAN,
} from '../../../../test/helpers/rows/plans.ts';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member } = acme;

async function addRepository(organizationId: string, name: string, headCommit: string | null = null) {
  const id = uuidv7();
  await db
    .insertInto('repositories')
    .values({ id, organization_id: organizationId, name, head_commit: headCommit, created_at: clock.now() })
    .execute();
  return id;
}

const api = await addRepository(acme.id, 'acme/api', 'a'.repeat(40));
const web = await addRepository(acme.id, 'acme/web');
await addRepository(acme.id, 'tools/web');
const foreign = await addRepository(globex.id, 'globex/api');

describe('repositories', () => {
  it('are matched by full name or last path segment in any case; an ambiguous or unknown name is kept with a null ID', async () => {
    const { body } = await postPlan(service, member, { repoNames: ['API', 'web', 'ACME/WEB', 'acme/none'] });
    expect((body as never as { repos: unknown }).repos).toEqual([
      { repoId: api, repoName: 'acme/api' },
      { repoId: null, repoName: 'web' },
      { repoId: web, repoName: 'acme/web' },
      { repoId: null, repoName: 'acme/none' },
    ]);
  });

  it('are named by IDs instead of names; IDs of other organizations are 400 by their index', async () => {
    const named = await postPlan(service, member, { repoIds: [web, api, web], repoNames: ['ignored'] });
    expect(named.body).toMatchObject({ repoNames: ['acme/web', 'acme/api'], repoIds: [web, api] });
    const wrong = await postPlan(service, member, { repoIds: [api, foreign] });
    expect([wrong.status, (wrong.body as never as { errors: { path: string }[] }).errors[0]!.path]).toEqual([
      400,
      'repoIds[1]',
    ]);
  });

  it('are kept if a later version names none, and each version keeps the latest commit known at that time', async () => {
    const { body: made } = await postPlan(service, member, { repoNames: ['acme/api', 'acme/later'] });
    const fresh = (await read(service, member, made)).body.freshness;
    expect(fresh).toEqual([
      {
        repoId: api,
        repoName: 'acme/api',
        headThen: 'a'.repeat(40),
        headNow: 'a'.repeat(40),
        state: 'current',
        changedFiles: [],
      },
      {
        repoId: null,
        repoName: 'acme/later',
        headThen: null,
        headNow: null,
        state: 'unknown',
        changedFiles: null,
      },
    ]);
    await db
      .updateTable('repositories')
      .set({ head_commit: 'b'.repeat(40) })
      .where('id', '=', api)
      .execute();
    const later = await addRepository(acme.id, 'acme/later', 'c'.repeat(40));
    expect((await read(service, member, made)).body.freshness[0]).toMatchObject({
      headThen: 'a'.repeat(40),
      headNow: 'b'.repeat(40),
      state: 'behind',
      changedFiles: null,
    });
    await postVersion(service, member, made, '# Two');
    const versions = await Promise.all(
      [1, 2].map((version) => read(service, member, made, `/versions/${version}`)),
    );
    expect(
      versions.map(({ body }) => body.repos.map(({ repoId, headCommit }: never) => [repoId, headCommit])),
    ).toEqual([
      [
        [api, 'a'.repeat(40)],
        [null, null],
      ],
      [
        [api, 'b'.repeat(40)],
        [later, 'c'.repeat(40)],
      ],
    ]);
  });
});

describe('the same series', () => {
  it('is another plan in another organization', async () => {
    const seriesKey = randomUUID();
    const [ours, theirs] = await Promise.all([
      postPlan(service, member, { seriesKey }),
      postPlan(service, globex.member, { seriesKey, content: '# Theirs' }),
    ]);
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    await postComment(service, globex.member, theirs.body);
    const comments = await service.request('GET', `/api/v2/plans/${seriesKey}/comments`, {
      as: withKey(member),
    });
    expect(comments.body.comments).toEqual([]);
  });

  it('accepts a version from any member, but keeps its creator', async () => {
    const { body: made } = await postPlan(service, member);
    const next = (await postPlan(service, admin, { seriesKey: made.seriesId })).body;
    expect(next).toMatchObject({ version: 2, createdBy: { name: 'Acme member' } });
  });
});

describe('AGENT_VENDORS', () => {
  it('limits which agents can post, and the 400 response lists them', async () => {
    const other = await startTestService({ settings: { AGENT_VENDORS: 'codex,my-agent' } });
    const post = (agentVendor: string) => postPlan(other, other.acme.member, { agentVendor });
    expect((await post('my-agent')).status).toBe(201);
    const wrong = (await post('cursor')) as never as {
      status: number;
      body: { errors: { message: string }[] };
    };
    const message = 'must be one of codex, my-agent, command-line';
    expect([wrong.status, wrong.body.errors[0]!.message]).toEqual([400, message]);
  });
});

describe('a new version', () => {
  it('with new content removes the approval; the same content keeps it and is marked unchanged', async () => {
    const made = (await postPlan(service, member)).body;
    await act(service, admin, made, 'approve', { versionId: made.versionId });
    const same = await postVersion(service, member, made, SAMPLE_PLAN);
    expect(same).toMatchObject({ version: 2, status: 'approved' });
    const other = await postVersion(service, member, made, '# Other');
    expect(other).toMatchObject({ version: 3, status: 'pending' });
    const { versions } = (await read(service, member, made)).body;
    expect(
      versions.map((each: { version: number; unchanged: boolean }) => [each.version, each.unchanged]),
    ).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
  });

  it('with new content reopens a closed plan', async () => {
    const made = (await postPlan(service, member)).body;
    await act(service, member, made, 'close', { note: 'No time.' });
    expect((await postVersion(service, member, made, SAMPLE_PLAN)).status).toBe('closed');
    expect((await postVersion(service, member, made, '# Now')).status).toBe('pending');
  });
});
