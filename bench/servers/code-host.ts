/** The service connected to a code host at HOST_URL of the kind HOST_KIND, with the repositories in REPOSITORIES, and another organization. */
import { createOrganization } from '../../src/features/accounts/index.ts';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import {
  connectRepository,
  insertCodeHost,
  sealHostCredential,
  sealHostWebhookSecret,
} from '../../src/features/code-hosts/index.ts';
import { operations } from '../../src/operations.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { sendSample } from './sample-operation.ts';
import { startService } from './start-service.ts';

const { HOST_KIND, HOST_URL, HOST_TOKEN, REPOSITORIES, WEBHOOK_SECRET } = process.env as Record<
  string,
  string
>;
const service = await startService([...operations, sendSample], { allowPrivateAddresses: true });
const { db, owner, secrets } = service;
const { organizationId } = owner;
const codeHostId = uuidv7();
const sealed = sealHostCredential(secrets, codeHostId, { kind: 'token', token: HOST_TOKEN! });
await insertCodeHost(db, {
  id: codeHostId,
  organizationId,
  kind: HOST_KIND as 'github' | 'gitlab',
  url: HOST_URL!,
  name: null,
  credentialKind: sealed.credential_kind,
  credential: sealed.credential,
  webhookSecret: sealHostWebhookSecret(secrets, codeHostId, WEBHOOK_SECRET!),
  createdBy: null,
  at: new Date(),
});
if (process.env.HOST_PAUSED) {
  await db
    .updateTable('code_hosts')
    .set({ state: 'rate_limited', paused_until: new Date('2100-01-01') })
    .execute();
}
for (const { fullName, id, url } of JSON.parse(REPOSITORIES!) as {
  id: string;
  fullName: string;
  url: string | null;
}[]) {
  const repositoryId = uuidv7();
  await db
    .insertInto('repositories')
    .values({
      id: repositoryId,
      organization_id: organizationId,
      name: fullName,
      created_at: new Date(),
      url,
      next_refresh_at: url === null ? null : new Date(),
    })
    .execute();
  await connectRepository(db, {
    repositoryId,
    organizationId,
    codeHostId,
    hostRepositoryId: id,
    fullName,
    isPrivate: false,
    at: new Date(),
  });
}
const at = new Date();
const other = await createOrganization(
  db,
  { organizationName: 'Other', name: 'Other', email: 'other@example.com', passwordHash: '-' },
  (id) => operatorOf(id, at),
  at,
);
const { secret: otherKey } = await generateApiKey(db, other, 'other', operatorOf(other.organizationId, at));
service.announce({ codeHostId, otherKey, connection: JSON.stringify(service.connection) });
