/** A test service that is connected to a fake code host, with its background work done step by step. */
import { sql } from 'kysely';
import { type Connection, createCodeHosts } from '../../src/engines/code-hosts/index.ts';
import {
  connectRepository,
  insertCodeHost,
  type SyncServices,
  sealHostCredential,
  sealHostWebhookSecret,
  syncPullRequest,
  syncRepository,
} from '../../src/features/code-hosts/index.ts';
import { refreshApprovalChecks } from '../../src/features/code-hosts/sync/refresh-approval-check.ts';
import { askForWaiting } from '../../src/features/code-hosts/sync/sync-store.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { makeRepositoryRow } from '../helpers/rows/pull-requests.ts';
import type { Organization } from '../helpers/service/factories.ts';
import type { TestService } from '../helpers/service/harness.ts';
import { testSecrets } from '../helpers/service/secrets.ts';
import { type FakeAccount, FakeModel, type FakeRepository, fullNameOf } from './fake-model.ts';
import type { FakeDelivery, FakeServer } from './fake-server.ts';
import { testEnvironment } from './test-environment.ts';

export const HOST_TOKEN = 'token-of-the-service';
export const HOOK_SECRET = 'secret-of-the-webhook';

export interface ConnectedHost {
  id: string;
  model: FakeModel;
  fake: FakeServer;
  bot: FakeAccount;
  services: SyncServices;
  environment: ReturnType<typeof testEnvironment>;
  /** A repository of the host with a webhook, connected. */
  repository(fullName: string): Promise<{ id: string; there: FakeRepository }>;
  /** Does everything that is due, in this process. */
  work(): Promise<void>;
  /** Makes everything due that is planned for later. */
  becomeDue(): Promise<void>;
  /** Makes statuses due that are planned for later, and nothing else. */
  becomeDueForStatuses(): Promise<void>;
  send(delivery: FakeDelivery): Promise<number>;
}

export async function connectHost(
  service: TestService,
  organization: Organization,
  kind: Connection['kind'],
  start: (model: FakeModel) => Promise<FakeServer>,
): Promise<ConnectedHost> {
  const { db } = service;
  const model = new FakeModel();
  const bot = model.account('countersign-bot');
  const fake = await start(model);
  fake.tokens.set(HOST_TOKEN, bot);
  const id = uuidv7();
  const sealed = sealHostCredential(testSecrets, id, { kind: 'token', token: HOST_TOKEN });
  await insertCodeHost(db, {
    id,
    organizationId: organization.id,
    kind,
    url: fake.url,
    name: null,
    credentialKind: sealed.credential_kind,
    credential: sealed.credential,
    webhookSecret: sealHostWebhookSecret(testSecrets, id, HOOK_SECRET),
    createdBy: null,
    at: service.clock.now(),
  });
  const environment = testEnvironment();
  const services: SyncServices = {
    db,
    code: service.mirrors.code,
    log: { info: () => undefined, warn: () => undefined } as never,
    now: () => service.clock.now(),
    announce: () => undefined,
    baseUrl: () => 'https://countersign.example',
    secrets: testSecrets,
    codeHosts: createCodeHosts(environment),
  };
  const signal = new AbortController().signal;
  return {
    id,
    model,
    fake,
    bot,
    services,
    environment,
    async repository(fullName) {
      const there = model.repository(fullName);
      model.grant(there, bot.login, 'admin');
      there.hooks.push({
        id: model.nextId(),
        url: `/api/v2/code-hosts/${id}/webhook`,
        secret: HOOK_SECRET,
        events: [],
      });
      const { id: repositoryId } = await makeRepositoryRow(service, organization.id, { name: fullName });
      await connectRepository(db, {
        repositoryId,
        organizationId: organization.id,
        codeHostId: id,
        hostRepositoryId: String(there.id),
        fullName: fullNameOf(there),
        isPrivate: there.private,
        at: new Date(0),
      });
      return { id: repositoryId, there };
    },
    async work() {
      for (;;) {
        await refreshApprovalChecks(db);
        await askForWaiting(db);
        const { rows } = await sql<{ repositoryId: string; number: number | null }>`
          SELECT repository_id AS "repositoryId", NULL::int AS number FROM code_host_repositories
            WHERE code_host_id = ${id} AND next_list_at <= clock_timestamp()
          UNION ALL SELECT repository_id, number FROM pull_request_syncs
            WHERE code_host_id = ${id} AND due_at <= clock_timestamp()`.execute(db);
        let done = 0;
        for (const { number, repositoryId } of rows) {
          const outcome =
            number === null
              ? await syncRepository(services, repositoryId, signal)
              : await syncPullRequest(services, { repositoryId, number }, signal);
          if (outcome !== 'not_taken' && outcome !== 'failed') done += 1;
        }
        if (done === 0) return;
      }
    },
    async becomeDue() {
      await sql`UPDATE code_host_repositories SET next_list_at = clock_timestamp() WHERE code_host_id = ${id}`.execute(
        db,
      );
      await sql`UPDATE pull_request_syncs SET due_at = clock_timestamp(), full_due_at = clock_timestamp() WHERE code_host_id = ${id} AND due_at IS NOT NULL`.execute(
        db,
      );
    },
    async becomeDueForStatuses() {
      await sql`UPDATE pull_request_syncs SET due_at = clock_timestamp() WHERE code_host_id = ${id} AND due_at < full_due_at`.execute(
        db,
      );
    },
    async send({ body, headers, url }) {
      const { pathname } = new URL(url, service.url);
      const { status } = await service.request('POST', pathname, { body, headers });
      return status;
    },
  };
}

/** A host whose stored webhook secret can't be opened. */
export async function connectHostWithBrokenSecret(
  service: TestService,
  organization: Organization,
  start: (model: FakeModel) => Promise<FakeServer>,
): Promise<ConnectedHost> {
  const host = await connectHost(service, organization, 'github', start);
  await host.fake.close();
  await service.db
    .updateTable('code_hosts')
    .set({ webhook_secret: Buffer.from('not sealed') })
    .where('id', '=', host.id)
    .execute();
  return host;
}
