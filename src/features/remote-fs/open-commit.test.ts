/** Which repository a name means, for whom, and when it can be searched, over HTTP. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/code.ts';
import { makeRepository } from '../../../test/git-fixtures.ts';
import { startTestService, withKey, withSession } from '../../../test/harness.ts';

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
