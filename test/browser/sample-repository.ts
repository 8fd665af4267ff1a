/** Repositories for browser tests: created with git, added through the API, cloned and indexed by the service. */
import { expect, vi } from 'vitest';
import type { Person } from '../helpers/service/factories.ts';
import { type TestService, withSession } from '../helpers/service/harness.ts';

/** Local folders and loopback addresses, which an operator has to allow. */
export const LOCAL_ALLOWED = { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' };

/** Adds a repository and waits until its code can be read; returns its id. */
export async function addRepository(
  service: TestService,
  admin: Person,
  repository: { url: string; name: string },
): Promise<string> {
  const as = withSession(admin);
  const added = await service.request('POST', '/api/v2/repositories', { as, body: repository });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const { id } = added.body;
  // Not `expect.poll`, which works only inside a test.
  await vi.waitFor(
    async () => {
      const { body } = await service.request('GET', `/api/v2/repositories/${id}`, { as });
      expect(body.state, JSON.stringify(body)).toBe('ready');
    },
    { timeout: 40_000, interval: 100 },
  );
  return id;
}
