/** Merging and reverting where the origin is a real git server over HTTP, and what the page says while its credential can't push. */
import { afterAll, expect, it } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startGitServer } from '../../../../test/helpers/servers/git-server.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme } = service;
const origin = await makeRepository({ 'a.txt': 'one\n' });
const server = await startGitServer({ folder: origin.parent, username: 'ada', password: 'may-write' });
afterAll(async () => {
  await server.close();
  await origin.remove();
});
const credential = { kind: 'password', username: 'ada', password: 'may-write' };
const { follow, merge, open, read, request } = await startMerging(service, {
  ...origin,
  url: `${server.url}/${origin.name}`,
  credential,
});
const setCredential = async (repositoryId: string, changed: object | null) => {
  const { body, status } = await service.request('PATCH', `/api/v2/repositories/${repositoryId}`, {
    as: withSession(acme.admin),
    body: { credential: changed },
  });
  expect(status, JSON.stringify(body)).toBe(200);
};

it('pushes with the credential of the repository, and reverts', async () => {
  const opened = await open('over-http', { files: { 'a.txt': 'two\n' } });
  expect((await read(opened.id)).pushProblem).toBeNull();
  const { body } = await merge(opened, { method: 'squash', deleteBranch: true });
  expect(body.state, JSON.stringify(body)).toBe('merged');
  expect(await origin.git('rev-parse', 'main')).toBe(body.merge.commit);
  expect(await origin.git('branch', '--list', 'over-http')).toBe('');
  await follow();
  const { body: revert } = await request('POST', `${opened.id}/revert`, acme.member);
  expect(await origin.git('show', `${revert.headBranch}:a.txt`)).toBe('one');
});

it('remembers a credential that can’t push until another is set, and knows one that is missing', async () => {
  const opened = await open('read-only');
  const { id: repositoryId } = (await read(opened.id)).repository;
  server.intercept((call, response) => {
    const isPush = call.url!.includes('git-receive-pack') && call.headers.authorization !== undefined;
    if (isPush) response.writeHead(403).end('ada may only read');
    return isPush;
  });
  expect((await merge(opened)).body).toMatchObject({
    state: 'open',
    merge: { state: 'failed', failure: 'no_permission' },
    pushProblem: { reason: 'refused', address: 'http' },
  });
  // It is known for every pull request of the repository.
  expect((await read((await open('another')).id)).pushProblem).toMatchObject({ reason: 'refused' });
  await setCredential(repositoryId, null);
  expect((await read(opened.id)).pushProblem).toEqual({ reason: 'no_credential', address: 'http' });
  await setCredential(repositoryId, credential);
  expect((await read(opened.id)).pushProblem).toBeNull();
  await merge(opened);
  expect((await read(opened.id)).pushProblem).toMatchObject({ reason: 'refused' });
  // The server lets it write now, so the credential stays.
  server.intercept(null);
  const { body } = await merge(opened);
  expect(body).toMatchObject({ state: 'merged' });
  expect((await read((await open('after')).id)).pushProblem).toBeNull();
});
