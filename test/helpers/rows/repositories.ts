/** Repositories of a test service, added and changed over HTTP. */
import { afterAll, beforeEach, expect } from 'vitest';
import { type FixtureRepository, makeRepository } from '../git/git-fixtures.ts';
import type { Person } from '../service/factories.ts';
import { startTestService, withSession } from '../service/harness.ts';

/** Repositories are deleted before each test, and their origins after the test file. */
export async function startRepositories() {
  const service = await startTestService({
    settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
  });
  const { acme, db } = service;

  const made: FixtureRepository[] = [];
  async function fixture(name: string): Promise<FixtureRepository> {
    const repository = await makeRepository({ 'a.txt': 'a\n' }, { name });
    made.push(repository);
    return repository;
  }
  afterAll(() => Promise.all(made.map((repository) => repository.remove())));
  beforeEach(() => db.deleteFrom('repositories').execute());

  const local = await fixture('acme/api.git');

  const call = (method: string, path: string, person: Person, body?: unknown) =>
    service.request(method, `/api/v2/repositories${path}`, { as: withSession(person), body });
  const add = (body: Record<string, unknown>, person = acme.admin) => call('POST', '', person, body);
  const addLocal = async (name: string, more: Record<string, unknown> = {}) => {
    const { body, status } = await add({ url: local.folder, name, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const list = async (person: Person, query = '') =>
    (await call('GET', query, person)).body.repositories.map((each: { name: string }) => each.name);
  const auditOf = async (id: string) => {
    const rows = await db
      .selectFrom('audit_events')
      .select(['action', 'detail', 'actor_user_id', 'subject_name'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    return rows;
  };
  const rowOf = (id: string) =>
    db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { ...service, add, addLocal, auditOf, call, fixture, list, local, rowOf, service };
}
