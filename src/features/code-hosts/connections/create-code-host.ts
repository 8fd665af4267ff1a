/** Connects an organization to a code host, for administrators over HTTP and for the operator on the host. */
import { randomBytes } from 'node:crypto';
import {
  type CodeHosts,
  type Connection,
  type HostDescription,
  type HostKind,
  isHostError,
} from '../../../engines/code-hosts/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { MAX_CODE_HOSTS } from '../contract.ts';
import { insertCodeHost } from './code-host-store.ts';
import {
  type CheckedCredential,
  countCodeHosts,
  lockCodeHosts,
  updateCodeHost,
  writeCredentialCheck,
} from './connection-store.ts';
import { askHost } from './host-problem.ts';
import {
  type HostCredential,
  sealHostCredential,
  sealHostWebhookSecret,
  sealSignInSecret,
} from './host-secrets.ts';

export interface HostToConnect {
  id?: string;
  kind: HostKind;
  /** Already checked. */
  url: string;
  name: string | null;
  credential: HostCredential;
  webhookSecret?: string;
  app?: { url: string; clientId: string; clientSecret: string };
}

export interface ConnectServices {
  db: Db;
  secrets: SecretBox;
  codeHosts: Pick<CodeHosts, 'open'>;
}

/** Returns the new ID. The credential is tried first; a token that the host refuses is not stored. */
export async function createCodeHost(
  { codeHosts, db, secrets }: ConnectServices,
  wanted: HostToConnect,
  source: AuditSource,
): Promise<string> {
  const { app, credential, kind, url } = wanted;
  const host = codeHosts.open({ kind, url, credential } as Connection);
  // The code of a new App works once: it is stored even if GitHub can't be asked now.
  const description =
    credential.kind === 'app'
      ? await host.describe().catch(ignoreHostError)
      : await askHost(() => host.describe(), { credential: 'token', address: 'url' });
  const id = wanted.id ?? uuidv7();
  const { organizationId } = source;
  await inTransaction(db, async (transaction) => {
    await lockCodeHosts(transaction, organizationId);
    if ((await countCodeHosts(transaction, organizationId)) >= MAX_CODE_HOSTS) {
      throw new Problem(
        'conflict',
        `Your organization is already connected to ${MAX_CODE_HOSTS} code hosts. Disconnect one first.`,
      );
    }
    const sealed = sealHostCredential(secrets, id, credential);
    await insertCodeHost(transaction, {
      id,
      organizationId,
      kind,
      url,
      name: wanted.name,
      credentialKind: sealed.credential_kind,
      credential: sealed.credential,
      webhookSecret: sealHostWebhookSecret(secrets, id, wanted.webhookSecret ?? newSecret()),
      createdBy: source.userId,
      at: source.at,
    });
    if (description) await writeCredentialCheck(transaction, id, checkedOf(description));
    if (app) {
      await updateCodeHost(transaction, organizationId, id, {
        app_url: app.url,
        sign_in_client_id: app.clientId,
        sign_in_secret: sealSignInSecret(secrets, id, app.clientSecret),
      });
    }
    await recordAudit(transaction, source, {
      action: 'code_host.connected',
      subjectId: id,
      subjectName: wanted.name ?? new URL(url).host,
      detail: { kind, url, credential: credential.kind, account: description?.account.login ?? null },
    });
  });
  return id;
}

export function checkedOf({ account, expiresAt, missing, version }: HostDescription): CheckedCredential {
  return { accountId: account.id, accountLogin: account.login, expiresAt, missing, version };
}

function ignoreHostError(error: unknown): null {
  if (isHostError(error)) return null;
  throw error;
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
