/** Listing plans: filters, search and pages; and plans that overlap. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { act, postPlan, postVersion, read } from '../../../../test/helpers/rows/plans.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, globex } = service;
const { admin, member } = acme;

describe('list-plans', () => {
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

  it('finds words of the latest version only, by prefix, in any case and script', async () => {
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
    'treats %j as text, not as a query',
    async (search) => {
      expect(Array.isArray((await list({ search })).plans)).toBe(true);
    },
  );

  it('returns pages without duplicates or omissions', async () => {
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

  it('returns no plans of another organization', async () => {
    await make('Ours', { content: `secret${word}` });
    expect((await list({ search: `secret${word}` }, globex.owner)).plans).toEqual([]);
  });

  it('finds every word of a plan of one megabyte', async () => {
    const words = Array.from({ length: 49_000 }, (_, index) => `big${index.toString(36)}x`.padEnd(20, 'y'));
    const { status } = await postPlan(service, member, { content: `# Big\n${words.join(' ')}` });
    expect(status).toBe(201);
    expect(await titles({ search: words[0]! })).toContain('Big');
    expect(await titles({ search: words.at(-1)! })).toContain('Big');
  });
});

describe('list-overlapping-plans', () => {
  it('returns pending and approved plans for the same repositories, those with the most shared files first', async () => {
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
