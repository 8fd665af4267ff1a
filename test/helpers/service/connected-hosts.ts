/** A service connected to fake code hosts, with operations called over HTTP and the background work run by hand. */
import { afterAll, afterEach, expect } from 'vitest';
import { checkHost } from '../../../src/features/code-hosts/checks/check-host.ts';
import { operations } from '../../../src/operations.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { FakeModel } from '../../code-hosts/fake-model.ts';
import type { FakeServer } from '../../code-hosts/fake-server.ts';
import { startGiteaFake } from '../../code-hosts/gitea-fake.ts';
import { startGitHubFake } from '../../code-hosts/github-fake.ts';
import type { Person } from './factories.ts';
import { startTestService, withSession } from './harness.ts';
import { testSecrets } from './secrets.ts';

export const HOST_TOKEN = 'token-of-the-service';

export async function startConnectedHosts(options: { gitFolder?: string } = {}) {
  const service = await startTestService({
    settings: { ALLOW_PRIVATE_ADDRESSES: 'true', ALLOW_LOCAL_REPOSITORIES: 'true' },
  });
  const { acme, clock, codeHosts, db } = service;
  const log = createLog({ level: 'silent', terminal: false });
  const [giteaModel, githubModel] = [new FakeModel(), new FakeModel()];
  const gitea = await startGiteaFake(giteaModel, options);
  const github = await startGitHubFake(githubModel, options);
  const fakes: FakeServer[] = [gitea, github];
  for (const fake of [gitea, github]) fake.tokens.set(HOST_TOKEN, fake.model.account('countersign-bot'));
  afterAll(() => Promise.all(fakes.map((fake) => fake.close())));
  afterEach(() => {
    for (const fake of fakes) expect(fake.problems.splice(0)).toEqual([]);
  });

  const call = (name: string, input: Record<string, unknown>, as: Person = acme.admin) =>
    service.call(operations.find((one) => one.name === name)!, input, withSession(as));
  /** The reply's body; the status must be a success. */
  const run = async (name: string, input: Record<string, unknown>, as?: Person) => {
    const { body, status } = await call(name, input, as);
    expect([name, status < 300 ? 'ok' : body]).toEqual([name, 'ok']);
    return body;
  };
  const connect = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await run('connect-code-host', { kind: 'gitea', url: gitea.url, token: HOST_TOKEN, ...more })).id;
  const announced: string[] = [];
  const checkNow = (codeHostId: string) =>
    checkHost(
      {
        db,
        secrets: testSecrets,
        codeHosts,
        log,
        now: () => clock.now(),
        announce: (topic) => void announced.push(topic),
        baseUrl: () => service.url,
      },
      codeHostId,
      AbortSignal.timeout(30_000),
    );
  const auditOf = (subjectId: string) =>
    db
      .selectFrom('audit_events')
      .select(['action', 'detail', 'actor_kind', 'subject_name'])
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute();
  /** A repository on the Gitea that the service may administer. */
  const onGitea = (fullName: string, some: { private?: boolean; readers?: string[] } = {}) => {
    const repository = giteaModel.repository(fullName, { private: some.private ?? true });
    giteaModel.grant(repository, 'countersign-bot', 'admin');
    for (const login of some.readers ?? []) giteaModel.grant(repository, login, 'read');
    return repository;
  };
  return { ...service, announced, auditOf, call, connect, gitea, github, checkNow, onGitea, run };
}
