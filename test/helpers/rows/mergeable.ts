/** Pull requests of plain git that can be merged, for tests of merging with real git. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createPlainGitFollower } from '../../../src/features/pull-requests/index.ts';
import { checkMergeability } from '../../../src/features/pull-requests/mergeability/check-mergeability.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import type { Person } from '../service/factories.ts';
import { type TestService, withSession } from '../service/harness.ts';
import { addRepository, connectRepository } from './code.ts';

export interface Opened {
  id: string;
  number: number;
  base: string;
  head: string;
}

/** The service must allow local repositories. The member opens, the admin approves. */
export async function startMerging(
  service: TestService,
  /** Default: a local one. */
  remote?: Parameters<typeof connectRepository>[1],
) {
  const { acme, clock, db } = service;
  const { admin, member } = acme;
  const log = createLog({ level: 'silent', terminal: false });
  const announce = () => undefined;
  const services = {
    db,
    code: service.mirrors.code,
    log,
    announce,
    now: () => clock.now(),
    baseUrl: () => service.url,
  };
  const follower = createPlainGitFollower(services);
  const repository = remote
    ? await connectRepository(service, remote)
    : await addRepository(service, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const hook = join(repository.folder, 'hooks', 'pre-receive');

  const request = (method: string, path: string, as: Person, body?: object) =>
    service.request(method, `/api/v2/pull-requests/${path}`, { as: withSession(as), ...(body && { body }) });
  const checkAll = () =>
    checkMergeability(
      services,
      { organizationId: acme.id, repositoryId: repository.id },
      new AbortController().signal,
    );
  const approve = async ({ head, id }: Opened) => {
    const { body, status } = await request('POST', `${id}/reviews`, admin, {
      verdict: 'approved',
      commit: head,
    });
    expect(status, JSON.stringify(body)).toBe(200);
  };

  return {
    services,
    repository,
    request,
    approve,
    read: async (id: string) => (await request('GET', id, member)).body,
    /** Newest first. */
    kinds: async (id: string): Promise<string[]> =>
      (await request('GET', `${id}/activity`, member)).body.events.map(({ kind }: { kind: string }) => kind),
    /** As a worker does a moment after a push. */
    async follow() {
      await repository.refresh();
      await follower.run(db, clock.now());
      await checkAll();
    },
    /** Approved, without conflicts. */
    async open(
      branch: string,
      { approved = true, files = { [`${branch}.txt`]: 'x\n' } } = {},
    ): Promise<Opened> {
      const from = await repository.git('rev-parse', 'main');
      await repository.commit({ 'first.txt': `${branch}\n` }, { branch, from, message: 'First' });
      await repository.commit(files, { branch, message: 'Second' });
      await repository.refresh();
      const { body, status } = await service.request('POST', '/api/v2/pull-requests', {
        as: withSession(member),
        body: { repository: repository.fullName, head: branch, title: `Add ${branch}`, description: 'Why.' },
      });
      expect(status, JSON.stringify(body)).toBe(201);
      await checkAll();
      const { baseCommit: base, headCommit: head, id, number } = body;
      if (approved) await approve({ id, number, base, head });
      return { id, number, base, head };
    },
    merge: ({ base, head, id }: Opened, more: object = {}, as = member) =>
      request('POST', `${id}/merge`, as, { method: 'merge', head, base, ...more }),
    /** Runs on the git server before it takes a push. */
    async setHook(text: string) {
      await writeFile(hook, `#!/bin/sh\n${text}\n`);
      await chmod(hook, 0o755);
    },
  };
}
