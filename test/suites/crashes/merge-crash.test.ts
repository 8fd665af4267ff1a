/** A node that is killed while it pushes a merge, before and after the origin took it: the other node says which of the two it was. */
import { existsSync, rmSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import { checkMergeability } from '../../../src/features/pull-requests/mergeability/check-mergeability.ts';
import { recoverMerges } from '../../../src/features/pull-requests/merging/recover-merges.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { urlOf } from '../../helpers/database/database.ts';
import { endProcesses, startService } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { addRepository } from '../../helpers/rows/code.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';

vi.setConfig({ testTimeout: 180_000 });
const WAIT = { timeout: 60_000, interval: 100 };
const settings = { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' };
const service = await startTestService({ settings });
afterAll(async () => {
  await endProcesses();
  await cleanUp();
});
const { acme, clock, db } = service;
const log = createLog({ level: 'silent', terminal: false });
const services = { db, code: service.mirrors.code, log, announce: () => undefined, now: () => clock.now() };

it.each([
  ['pre-receive', { state: 'open', merge: { state: 'failed', failure: 'interrupted' } }],
  ['post-receive', { state: 'merged', merge: { state: 'merged', failure: null } }],
])('killed in %s', async (name, expected) => {
  const repository = await addRepository(service, { 'a.txt': 'one\n' });
  const from = await repository.git('rev-parse', 'main');
  await repository.commit({ 'b.txt': 'b\n' }, { branch: 'topic', from });
  await repository.refresh();
  const body = { repository: repository.fullName, head: 'topic', title: 'Topic' };
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body,
  });
  const never = new AbortController().signal;
  await checkMergeability(services, { organizationId: acme.id, repositoryId: repository.id }, never);
  const reached = join(temporaryFolder(), 'reached');
  const hook = join(repository.folder, 'hooks', name);
  await writeFile(hook, `#!/bin/sh\ntouch '${reached}'\nexec sleep 60\n`);
  await chmod(hook, 0o755);

  const node = await startService({
    env: { ...settings, DATABASE_URL: urlOf(service.connection), ROLES: 'web', LOG_LEVEL: 'warn' },
  });
  const { baseCommit: base, headCommit: head, id } = opened;
  const answer = fetch(`${node.url}/api/v2/pull-requests/${id}/merge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `countersign=${acme.admin.token}` },
    body: JSON.stringify({ method: 'merge', base, head, bypassReason: 'A test of crashes.' }),
  }).then(
    (reply) => reply.text(),
    () => 'ended',
  );
  await vi.waitFor(() => expect(existsSync(reached)).toBe(true), WAIT);
  await node.kill();
  expect(await answer).toBe('ended');
  rmSync(hook);

  const read = async () =>
    (await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(acme.member) })).body;
  expect(await read()).toMatchObject({ state: 'open', merge: { state: 'pushing' } });
  await sql`UPDATE pull_request_merges SET look_at = clock_timestamp()`.execute(db);
  await recoverMerges(services);
  const after = await read();
  expect(after).toMatchObject(expected);
  const tip = await repository.git('rev-parse', 'main');
  expect(tip).toBe(expected.state === 'merged' ? after.merge.commit : base);
});
