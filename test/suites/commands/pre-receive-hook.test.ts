/** `countersign hook pre-receive` with a real bare repository, real pushes and the real command: only merges here move a protected branch. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DEFAULT_TERMS } from '../../../src/features/pull-requests/rules/choose-rule.ts';
import { upsertMergeRule } from '../../../src/features/pull-requests/rules/merge-rule-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { makeRepository } from '../../helpers/git/git-fixtures.ts';
import { COMMAND } from '../../helpers/processes/countersign-process.ts';
import { temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { startMerging } from '../../helpers/rows/mergeable.ts';
import { startTestService } from '../../helpers/service/harness.ts';

vi.setConfig({ testTimeout: 120_000 });
const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;
const { follow, merge, open, repository, request } = await startMerging(service);
const rule = (pattern: string) =>
  upsertMergeRule(db, {
    ...DEFAULT_TERMS,
    ...{ id: uuidv7(), organizationId: acme.id, repositoryId: repository.id, pattern },
    ...{ approvals: 0, updatedBy: null, at: clock.now() },
  });

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
  const opened = await open('topic', { approved: false });
  await rule('main');
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
  const merged = await merge(opened, { method: 'squash' });
  expect(merged.body, JSON.stringify(merged.body)).toMatchObject({ state: 'merged' });
  expect(await repository.git('rev-parse', 'main')).toBe(merged.body.merge.commit);
  // The same commits again are no new merge.
  expect(await push(`+${main}:main`)).toContain(refused);
});

it('takes all pushes of the service under a rule for every branch, and no others', async () => {
  const behind = await open('behind');
  await repository.commit({ 'later.txt': 'later\n' }, { branch: 'main' });
  await follow();
  const merged = await open('short');
  await rule('*');
  await install('');
  const body = { expectedHead: behind.head };
  const updated = await request('POST', `${behind.id}/update-branch`, acme.admin, body);
  expect(updated.body).toEqual({ commit: await repository.git('rev-parse', 'behind') });
  expect((await merge(merged, { deleteBranch: true })).body.state).toBe('merged');
  expect(await repository.git('branch', '--list', 'short')).toBe('');
  const reverted = await request('POST', `${merged.id}/revert`, acme.member);
  expect(reverted.status, JSON.stringify(reverted.body)).toBe(200);
  expect(await push(`+${behind.head}:behind`)).toContain('may move behind (rule *)');
  expect(await push(`${merged.head}:refs/heads/short`)).toContain('may move short (rule *)');
  expect((await request('POST', `${merged.id}/restore-branch`, acme.member)).status).toBe(200);
  expect(await repository.git('rev-parse', 'short')).toBe(merged.head);
  expect(await push(':short')).toContain('may move short (rule *)');
});
