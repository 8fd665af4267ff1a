/** Plans as they are kept and read back: repositories, versions, lists, structure, overlap, sessions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey, withSession } from '../../../test/harness.ts';
import { act, postComment, postPlan, postVersion, read, SAMPLE_PLAN } from '../../../test/plans.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';

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

describe('the repositories of a plan', () => {
  it('are known by full or leaf name in any case; an ambiguous or unknown name is kept with a null id', async () => {
    const { body } = await postPlan(service, member, { repoNames: ['API', 'web', 'ACME/WEB', 'acme/none'] });
    expect((body as never as { repos: unknown }).repos).toEqual([
      { repoId: api, repoName: 'acme/api' },
      { repoId: null, repoName: 'web' },
      { repoId: web, repoName: 'acme/web' },
      { repoId: null, repoName: 'acme/none' },
    ]);
  });

  it('are named by ids in place of names; ids of others are 400 by their place', async () => {
    const named = await postPlan(service, member, { repoIds: [web, api, web], repoNames: ['ignored'] });
    expect(named.body).toMatchObject({ repoNames: ['acme/web', 'acme/api'], repoIds: [web, api] });
    const wrong = await postPlan(service, member, { repoIds: [api, foreign] });
    expect([wrong.status, (wrong.body as never as { errors: { path: string }[] }).errors[0]!.path]).toEqual([
      400,
      'repoIds[1]',
    ]);
  });

  it('stay when a later version names none, and each version keeps the newest commit as it was known then', async () => {
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

describe('one version', () => {
  it('is read with its content, structure and author; one that is not there is 404, a malformed one 400', async () => {
    const { body: made } = await postPlan(service, member, {
      modelId: 'm1',
      tokensUsed: { input_tokens: 5, output_tokens: 7 },
    });
    await postVersion(service, admin, made, '# Two');
    const first = (await read(service, acme.viewer, made, '/versions/1')).body;
    expect(first).toMatchObject({
      version: 1,
      content: SAMPLE_PLAN,
      author: { name: 'Acme member' },
      authorKind: 'key',
      modelId: 'm1',
      tokensUsed: { input_tokens: 5, output_tokens: 7 },
    });
    expect(first.structure.files).toEqual(['src/export/run.ts', 'web/pages/export.tsx']);
    expect(first.structure.steps.map((step: { done: boolean }) => step.done)).toEqual([true, false, false]);
    expect((await read(service, member, made, '/versions/2')).body.author.name).toBe('Acme admin');
    expect((await read(service, member, made, '/versions/3')).status).toBe(404);
    for (const wrong of ['0', '-1', 'x', '1.5', '99999999999'])
      expect((await read(service, member, made, `/versions/${wrong}`)).status).toBe(400);
  });
});

describe('the list', () => {
  const list = async (query: Record<string, string>, person = acme.viewer) => {
    const answer = await service.request('GET', `/api/v2/plans?${new URLSearchParams(query)}`, {
      as: withSession(person),
    });
    return answer.body as { plans: { seriesId: string; title: string }[]; nextCursor: string | null };
  };
  const titles = async (query: Record<string, string>) => (await list(query)).plans.map(({ title }) => title);
  const word = `w${randomUUID().slice(0, 8)}`;
  const make = (title: string, fields: Record<string, unknown> = {}, person = member) =>
    postPlan(service, person, { content: `# ${title}\n\n${word} text`, ...fields });

  it('is filtered by status, repository, author, vendor and words, each alone and together', async () => {
    const one = await make('List one', { repoNames: ['acme/api'], agentVendor: 'codex' });
    await make('List two', { repoNames: ['elsewhere/api'], agentVendor: 'cursor' }, admin);
    const three = await make('List three', { repoNames: ['acme/web'] });
    await act(service, admin, three.body, 'approve', { versionId: three.body.versionId });

    expect(await titles({ search: word })).toEqual(['List three', 'List two', 'List one']);
    expect(await titles({ search: word, status: 'approved' })).toEqual(['List three']);
    expect(await titles({ search: word, repository: 'API' })).toEqual(['List two', 'List one']);
    expect(await titles({ search: word, repository: 'Acme/Api' })).toEqual(['List one']);
    expect(await titles({ search: word, authorId: admin.userId })).toEqual(['List two']);
    expect(await titles({ search: word, agentVendor: 'codex' })).toEqual(['List one']);
    expect(await titles({ search: word, agentVendor: 'codex', status: 'approved' })).toEqual([]);

    await postVersion(service, member, one.body, `# List one again\n\n${word}`);
    expect((await titles({ search: word }))[0]).toBe('List one again');
    expect((await list({ search: word })).plans[0]).toMatchObject({
      version: 2,
      commentCount: 0,
      status: 'pending',
    });
  });

  it('finds words of the newest version alone, by their beginning, in any case, in any script', async () => {
    const { body: made } = await make('Żółć', {
      content: `# Żółć submitPlan 計画を読む\n\nnaïve ${word}x snake_case`,
    });
    for (const search of [
      'żół',
      'ŻÓŁĆ',
      'submitplan',
      'plan',
      'Submit',
      'snake case',
      'CASE',
      `${word}x`,
      'naïve',
      '計画を読む',
    ]) {
      expect(await titles({ search: `${search} ${word}x` }), search).toEqual(['Żółć submitPlan 計画を読む']);
    }
    expect(await titles({ search: `ubmit ${word}x` })).toEqual([]);
    await postVersion(service, member, made, `# New\n\n${word}y`);
    expect(await titles({ search: `${word}x` })).toEqual([]);
    expect(await titles({ search: `${word}y` })).toEqual(['New']);
  });

  it.each(["'", '!!', '&', "a' | 'b", ':*', '\\', '-- x', '()'])(
    'takes %j as text, never as a query',
    async (search) => {
      expect(Array.isArray((await list({ search })).plans)).toBe(true);
    },
  );

  it('comes in pages that neither repeat nor leave out', async () => {
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, index) => make(`Page ${index}`, { content: `paging${word} ${index}` })),
    );
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page = await list({ search: `paging${word}`, limit: '3', ...(cursor && { cursor }) });
      expect(page.plans.length).toBeLessThanOrEqual(3);
      seen.push(...page.plans.map(({ seriesId }) => seriesId));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.map(({ body }) => body.seriesId).toSorted());
  });

  it('shows nothing of another organization', async () => {
    await make('Ours', { content: `secret${word}` });
    expect((await list({ search: `secret${word}` }, globex.owner)).plans).toEqual([]);
  });

  it('holds every word of a plan of a megabyte', async () => {
    const words = Array.from({ length: 49_000 }, (_, index) => `big${index.toString(36)}x`.padEnd(20, 'y'));
    const { status } = await postPlan(service, member, { content: `# Big\n${words.join(' ')}` });
    expect(status).toBe(201);
    expect(await titles({ search: words[0]! })).toContain('Big');
    expect(await titles({ search: words.at(-1)! })).toContain('Big');
  });
});

describe('overlap', () => {
  it('names the pending and approved plans for the same repositories, most files in common first', async () => {
    const repoNames = [`acme/${randomUUID()}`];
    const content = (...files: string[]) => `# Overlap\n\n${files.map((file) => `- \`${file}\``).join('\n')}`;
    const mine = (await postPlan(service, member, { repoNames, content: content('src/a.ts', 'src/b.ts') }))
      .body;
    const both = (
      await postPlan(service, admin, { repoNames, content: content('src/a.ts', 'src/b.ts', 'x.ts') })
    ).body;
    const none = (await postPlan(service, admin, { repoNames, content: content('src/other.ts') })).body;
    const closed = (await postPlan(service, admin, { repoNames, content: content('src/a.ts') })).body;
    await act(service, admin, closed, 'close');
    await postPlan(service, admin, { repoNames: ['acme/else'], content: content('src/a.ts') });
    const { plans } = (await read(service, member, mine, '/overlap')).body;
    expect(
      plans.map((plan: Record<string, unknown>) => [
        plan.seriesId,
        plan.sharedFiles,
        plan.sharedRepositories,
      ]),
    ).toEqual([
      [both.seriesId, ['src/a.ts', 'src/b.ts'], repoNames],
      [none.seriesId, [], repoNames],
    ]);
  });
});

describe('the planner session', () => {
  it('is joined with the plan: tokens, model, duration, repositories', async () => {
    const seriesKey = randomUUID();
    const record = (fields: Record<string, unknown>) =>
      service.request('POST', '/api/v2/mcp-sessions/events', {
        as: withKey(member),
        body: { sessionId: seriesKey, eventType: 'planner_tool_called', ...fields },
      });
    await record({ repository: 'acme/api', agentVendor: 'claude-code' });
    clock.advance(90_000);
    await record({
      repository: 'acme/web',
      payload: { modelId: 'model-7', tokensUsed: { input_tokens: 3, output_tokens: 4 } },
    });
    await record({ repository: 'acme/api', payload: { note: 'x' } });
    const { body: made } = await postPlan(service, member, { seriesKey });
    const { session } = (await read(service, member, made)).body;
    expect(session).toMatchObject({
      eventCount: 3,
      agentVendor: 'claude-code',
      modelId: 'model-7',
      tokensUsed: { input_tokens: 3, output_tokens: 4 },
      repositories: ['acme/api', 'acme/web'],
    });
    expect(session.durationSeconds).toBeGreaterThanOrEqual(90);
  });

  it('is null for a plan whose session reported nothing, and nothing of another organization is joined', async () => {
    const seriesKey = randomUUID();
    await service.request('POST', '/api/v2/mcp-sessions/events', {
      as: withKey(globex.member),
      body: { sessionId: seriesKey, eventType: 'x' },
    });
    const { body: made } = await postPlan(service, member, { seriesKey });
    expect((await read(service, member, made)).body.session).toBeNull();
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

  it('takes a version of any member, but the plan stays its creator’s', async () => {
    const { body: made } = await postPlan(service, member);
    const next = (await postPlan(service, admin, { seriesKey: made.seriesId })).body;
    expect(next).toMatchObject({ version: 2, createdBy: { name: 'Acme member' } });
  });
});

describe('an edge of the operator’s settings', () => {
  it('changes which agents may post, and the 400 lists them', async () => {
    const other = await startTestService({ settings: { AGENT_VENDORS: 'codex,my-agent' } });
    const post = (agentVendor: string) => postPlan(other, other.acme.member, { agentVendor });
    expect((await post('my-agent')).status).toBe(201);
    const wrong = (await post('cursor')) as never as {
      status: number;
      body: { errors: { message: string }[] };
    };
    expect([wrong.status, wrong.body.errors[0]!.message]).toEqual([400, 'must be one of codex, my-agent']);
  });
});
