/** The event stream of a repository: pushes as soon as they are fetched, only for users with access. */
import { expect, it, onTestFinished } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, globex, url } = service;
const repository = await addRepository(service, { 'a.txt': 'one\n' });
const path = `/api/v2/repositories/${repository.id}/events`;

it('sends an event when a push is fetched; ends and frees its slot when the repository is removed', async () => {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${url}${path}`, {
    headers: { cookie: `countersign=${acme.viewer.token}` },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const pieces = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const readUntil = async (wanted: string) => {
    while (!text.includes(wanted)) {
      const { done, value } = await pieces.next();
      if (done) throw new Error(`The stream ended without ${wanted}: ${text}`);
      text += value;
    }
  };
  await readUntil(': still here');
  const commit = await repository.commit({ 'a.txt': 'two\n' });
  await repository.refresh();
  await readUntil(`"headCommit":"${commit}"`);
  expect(text).toContain('event: repository_changed');

  await service.request('DELETE', `/api/v2/repositories/${repository.id}`, { as: withSession(acme.admin) });
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) text += next.value;
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^countersign_open_waits 0$/m);
});

it('ends when an administrator becomes a member who may not see the repository', async () => {
  const hidden = await addRepository(service, { 'a.txt': 'one\n' });
  const as = withSession(acme.owner);
  const visibility = { body: { visibility: 'members' }, as };
  await service.request('PATCH', `/api/v2/repositories/${hidden.id}`, visibility);
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${url}/api/v2/repositories/${hidden.id}/events`, {
    headers: { cookie: `countersign=${acme.admin.token}` },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  const role = { body: { role: 'member' }, as };
  expect((await service.request('PATCH', `/api/v2/members/${acme.admin.userId}`, role)).status).toBe(200);
  await hidden.commit({ 'a.txt': 'two\n' });
  await hidden.refresh();
  expect(await response.text()).not.toContain('repository_changed');
});

it('is not found for another organization', async () => {
  const { status } = await service.request('GET', path, { as: withSession(globex.owner) });
  expect(status).toBe(404);
});
