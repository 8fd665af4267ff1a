/** `countersign hook pre-receive` with a real bare repository, real pushes and the real command: only merges here move a protected branch. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { checkMergeability } from '../../../src/features/pull-requests/mergeability/check-mergeability.ts';
import { DEFAULT_TERMS } from '../../../src/features/pull-requests/rules/choose-rule.ts';
import { upsertMergeRule } from '../../../src/features/pull-requests/rules/merge-rule-store.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { makeRepository } from '../../helpers/git/git-fixtures.ts';
import { COMMAND } from '../../helpers/processes/countersign-process.ts';
import { temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { addRepository } from '../../helpers/rows/code.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';

vi.setConfig({ testTimeout: 120_000 });
const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;
const repository = await addRepository(service, { 'a.txt': 'one\n' });
const as = withSession(acme.member);

async function install(words: string, { key = acme.member.key, url = service.url } = {}): Promise<void> {
  const file = join(repository.folder, 'hooks', 'pre-receive');
  const environment = `COUNTERSIGN_API_KEY=${key} COUNTERSIGN_URL=${url} XDG_CONFIG_HOME=${temporaryFolder()}`;
  const command = `${process.execPath} ${COMMAND} hook pre-receive --repository ${repository.fullName}`;
  await writeFile(file, `#!/bin/sh\n${environment} exec ${command} ${words}\n`);
  await chmod(file, 0o755);
}
/** A clone of somebody who pushes by hand; what the server said, or nothing if it took the push. */
const clone = await makeRepository();
async function push(...refspecs: string[]): Promise<string> {
  await clone.git('fetch', '--quiet', repository.folder, '+refs/heads/*:refs/heads/*');
  return clone.git('push', '--quiet', repository.folder, ...refspecs).then(
    () => '',
    (error: Error) => error.message,
  );
}

it('takes other branches and merges here, refuses what goes around them, and does as told when it can’t ask', async () => {
  const main = await repository.git('rev-parse', 'main');
  await repository.commit({ 'b.txt': 'b\n' }, { branch: 'topic', from: main });
  await upsertMergeRule(db, {
    ...DEFAULT_TERMS,
    ...{ id: uuidv7(), organizationId: acme.id, repositoryId: repository.id, pattern: 'main' },
    ...{ approvals: 0, updatedBy: null, at: clock.now() },
  });
  await repository.refresh();
  const body = { repository: repository.fullName, head: 'topic', title: 'Topic' };
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', { as, body });
  const log = createLog({ level: 'silent', terminal: false });
  const { code } = service.mirrors;
  const services = { db, code, log, announce: () => undefined, now: () => clock.now() };
  const never = new AbortController().signal;
  await checkMergeability(services, { organizationId: acme.id, repositoryId: repository.id }, never);

  await install('');
  const refused = 'only a merge in Countersign may move main (rule main)';
  expect(await push('topic:main')).toContain(refused);
  expect(await push(':main')).toContain(refused);
  // One refused branch refuses the whole push.
  expect(await push('topic:main', 'topic:other')).toContain(refused);
  expect(await repository.git('for-each-ref', '--format=%(refname:short)')).toBe('main\ntopic');
  expect(await push('topic:other')).toBe('');
  await install('--on-failure refuse', { key: globex.member.key });
  expect(await push('topic:third')).toContain("can't be checked: No repository named");
  await install('--timeout 1', { url: 'http://127.0.0.1:1' });
  expect(await push('topic:third')).toContain('nothing listens there');
  await install('--on-failure accept --timeout 1', { url: 'http://127.0.0.1:1' });
  expect(await push('topic:third')).toBe('');
  expect(await repository.git('rev-parse', 'main')).toBe(main);

  // Ours arrives while the attempt is recorded.
  await install('');
  const { baseCommit: base, headCommit: head, id } = opened;
  const merged = await service.request('POST', `/api/v2/pull-requests/${id}/merge`, {
    as,
    body: { method: 'squash', base, head },
  });
  expect(merged.body, JSON.stringify(merged.body)).toMatchObject({ state: 'merged' });
  expect(await repository.git('rev-parse', 'main')).toBe(merged.body.merge.commit);
  // The same commits again are no new merge.
  expect(await push(`+${main}:main`)).toContain(refused);
});
