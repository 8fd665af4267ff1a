/** Repositories with code, for tests that read and search it. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, vi } from 'vitest';
import {
  type FixtureFiles,
  type FixtureOptions,
  type FixtureRepository,
  makeRepository,
} from '../git/git-fixtures.ts';
import { type TestService, withSession } from '../service/harness.ts';

export interface TestRepository extends FixtureRepository {
  id: string;
  /** Its name in the organization. */
  fullName: string;
  /** Fetches and indexes what is new. */
  refresh(): Promise<void>;
}

/** A repository of Acme that is cloned and indexed. The service must allow local repositories. */
export async function addRepository(
  service: Pick<TestService, 'request' | 'mirrors' | 'acme'>,
  files: FixtureFiles,
  options: FixtureOptions & { fullName?: string } = {},
): Promise<TestRepository> {
  const { fullName = `acme/${randomUUID()}`, ...fixture } = options;
  const made = await makeRepository(files, fixture);
  afterAll(() => made.remove());
  return connectRepository(service, { ...made, url: made.folder }, fullName);
}

/** One that the caller made, at its address. */
export async function connectRepository(
  service: Pick<TestService, 'request' | 'mirrors' | 'acme'>,
  made: FixtureRepository & { url: string; credential?: object },
  fullName = `acme/${randomUUID()}`,
): Promise<TestRepository> {
  const { credential, url } = made;
  const { body, status } = await service.request('POST', '/api/v2/repositories', {
    as: withSession(service.acme.admin),
    body: { url, name: fullName, ...(credential && { credential }) },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const refresh = async () => {
    const signal = AbortSignal.timeout(60_000);
    const once = () => service.mirrors.refresh(body.id, { onlyWhenDue: false, signal });
    // The service's own refresh after a push from the page has to end first.
    const outcome = await vi.waitUntil(
      async () => {
        const ended = await once();
        return ended.kind !== 'not_taken' && ended;
      },
      { timeout: 60_000 },
    );
    expect(outcome).toEqual({ kind: 'refreshed' });
  };
  await refresh();
  return { ...made, id: body.id, fullName, refresh };
}
