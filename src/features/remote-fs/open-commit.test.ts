/** A name is resolved to a repository that the caller can see and that can be searched, over HTTP. */
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, globex } = service;
const key = withKey(acme.member);
await addRepository(service, { 'README.md': '# API\n' }, { fullName: 'acme/api' });

const files = (query: Record<string, string>, as: Parameters<typeof service.request>[2] = { as: key }) =>
  service.request('GET', `/api/v2/remote-fs/file-search?${new URLSearchParams(query)}`, as);
const grep = (body: Record<string, unknown>, as: Parameters<typeof service.request>[2] = { as: key }) =>
  service.request('POST', '/api/v2/remote-fs/grep', { ...as, body });

describe('an unknown repository', () => {
  it('is a 404 that suggests similar names, and none of another organization', async () => {
    const { body, status } = await grep({ repository: 'acme/apii', pattern: 'x', path: '' });
    expect({ status, code: body.code, candidates: body.candidates }).toEqual({
      status: 404,
      code: 'not_found',
      candidates: ['acme/api'],
    });
    expect(body.detail).toBe(
      "No repository named acme/apii exists, or you don't have access to it. Did you mean acme/api?",
    );
    const other = await grep(
      { repository: 'acme/apii', pattern: 'x', path: '' },
      { as: withKey(globex.member) },
    );
    expect(other).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(other.body).not.toHaveProperty('candidates');
  });
});

describe('an unknown ref', () => {
  const letAskAgain = (id: string) =>
    service.db.updateTable('repositories').set({ origin_asked_at: null }).where('id', '=', id).execute();

  it('asks the origin once: a branch, tag or commit that was just pushed is there', async () => {
    const shop = await addRepository(service, { 'a.txt': 'a\n' }, { fullName: 'acme/shop' });
    const main = await shop.git('rev-parse', 'main');
    const pushed = await shop.commit({ 'b.txt': 'b\n' }, { branch: 'feature/cart', from: main });
    const asked = { repository: 'shop', pattern: '*' };
    const found = { status: 200, body: { items: ['a.txt', 'b.txt'] } };
    expect(await Promise.all([1, 2, 3].map(() => files({ ...asked, ref: 'feature/cart' })))).toMatchObject([
      found,
      found,
      found,
    ]);
    await letAskAgain(shop.id);
    await shop.git('tag', 'v2', pushed);
    expect(await grep({ repository: 'shop', pattern: 'b', path: '', ref: 'v2' })).toMatchObject({
      status: 200,
      body: { text: 'b.txt\n1:b\n' },
    });
    await letAskAgain(shop.id);
    const later = await shop.commit({ 'c.txt': 'c\n' }, { branch: 'feature/cart', from: pushed });
    expect((await files({ ...asked, ref: later.slice(0, 12) })).body.items).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
    ]);
  });

  it('is a 404 that suggests similar names, and says when the origin is asked again', async () => {
    const till = await addRepository(service, { 'a.txt': 'a\n' }, { fullName: 'acme/till' });
    await till.git('branch', 'feature/payments');
    await till.git('tag', 'payments-1.0');
    await till.refresh();
    const asked = { repository: 'till', pattern: '*' };
    expect(await files({ ...asked, ref: 'Feature/payment' })).toMatchObject({
      status: 404,
      body: {
        code: 'ref_not_found',
        candidates: ['feature/payments', 'payments-1.0'],
        detail:
          'acme/till has no branch, tag or commit named Feature/payment. Did you mean feature/payments or payments-1.0? If it is not pushed yet, push it first.',
      },
    });
    await till.git('branch', 'late');
    const early = await files({ ...asked, ref: 'late' });
    expect(early).toMatchObject({ status: 404, body: { code: 'ref_not_found' } });
    expect(early.body.detail).toContain(
      'The origin was asked a moment ago: if you have pushed since, retry in',
    );
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    await letAskAgain(till.id);
    expect((await files({ ...asked, ref: 'late' })).status).toBe(200);
    await till.remove();
    await letAskAgain(till.id);
    expect((await files({ ...asked, ref: 'payments-2.0' })).body).toMatchObject({
      code: 'ref_not_found',
      candidates: ['payments-1.0'],
      detail: expect.stringContaining('The origin could not be reached to look for newer ones.'),
    });
  });
});

describe('which repository', () => {
  it('returns candidates for an ambiguous last part; the full name is unambiguous', async () => {
    const tools = { 'tool.txt': 'tool\n' };
    await addRepository(service, tools, { fullName: 'one/tools' });
    await addRepository(service, tools, { fullName: 'two/Tools' });
    const candidates = { candidates: ['one/tools', 'two/Tools'] };
    expect(await files({ repository: 'TOOLS', pattern: '*' })).toMatchObject({
      status: 200,
      body: candidates,
    });
    expect(await grep({ repository: 'tools', pattern: 'x', path: '' })).toMatchObject({
      status: 200,
      body: candidates,
    });
    expect((await files({ repository: 'Two/tools', pattern: '*' })).body.items).toEqual(['tool.txt']);
  });

  it('is not found in another organization, nor by users without access', async () => {
    expect(
      (await files({ repository: 'acme/api', pattern: '*' }, { as: withKey(globex.owner) })).status,
    ).toBe(404);
    const secret = await addRepository(service, { 'a.txt': 'a\n' }, { fullName: 'acme/secret' });
    await service.request('PATCH', `/api/v2/repositories/${secret.id}`, {
      as: withSession(acme.admin),
      body: { visibility: 'members', memberIds: [] },
    });
    expect((await files({ repository: 'secret', pattern: '*' })).status).toBe(404);
    expect((await files({ repository: 'secret', pattern: '*' }, { as: withKey(acme.admin) })).status).toBe(
      200,
    );
  });

  it('is not ready until its first clone, and always afterwards', async () => {
    const made = await makeRepository({ 'a.txt': 'a\n' });
    const { body } = await service.request('POST', '/api/v2/repositories', {
      as: withSession(acme.admin),
      body: { url: made.folder, name: 'acme/fresh' },
    });
    const early = await files({ repository: 'fresh', pattern: '*' });
    expect(early).toMatchObject({ status: 409, body: { code: 'repository_not_ready' } });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    await service.mirrors.refresh(body.id, { onlyWhenDue: false, signal: AbortSignal.timeout(30_000) });
    expect((await files({ repository: 'fresh', pattern: '*' })).body.items).toEqual(['a.txt']);
    await made.remove();
    await service.mirrors.refresh(body.id, { onlyWhenDue: false, signal: AbortSignal.timeout(30_000) });
    expect((await files({ repository: 'fresh', pattern: '*' })).body.items).toEqual(['a.txt']);
  });

  it('can be empty, without commits', async () => {
    const empty = await addRepository(service, {});
    expect((await files({ repository: empty.fullName, pattern: '*' })).body.code).toBe('ref_not_found');
  });
});
