/** Saves the settings of an organization, for the page and for environment variables, in one transaction with their effects. */

import { isDeepStrictEqual } from 'node:util';
import type { SingleSignOnSettings } from '../../../engines/identity-provider/contract.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { deletePasswordSessions, isSingleSignOnOnly, updateSingleSignOnOnly } from '../../accounts/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { openClientSecret, sealClientSecret } from './sealed.ts';
import { type SettingsRow, selectSettings, upsertSettings } from './settings-store.ts';

/** Without a client secret, the stored one is kept. */
export type SavedSettings = Omit<SingleSignOnSettings, 'clientSecret'> & {
  clientSecret?: string;
  enabled: boolean;
};

export function settingsOf(row: SettingsRow) {
  return {
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    enabled: row.enabled,
    allowedDomains: row.allowed_domains,
    newMembers: row.new_members,
    defaultRole: row.default_role,
    roleClaim: row.role_claim,
    roleRules: row.role_rules,
    passwordSignIn: row.password_sign_in,
    recheckMinutes: row.recheck_minutes,
    signInHours: row.sign_in_hours,
  };
}

/** `check` may refuse the change, with the settings as they were under the lock. */
export async function saveSettings(
  services: { db: Db; secrets: SecretBox },
  settings: SavedSettings,
  source: AuditSource,
  check: (before: SettingsRow | undefined, transaction: Db) => Promise<void> = async () => undefined,
): Promise<void> {
  const { secrets } = services;
  const { at, organizationId } = source;
  await inTransaction(services.db, async (transaction) => {
    const before = await selectSettings(transaction, organizationId, { hold: true });
    await check(before, transaction);
    const { clientSecret, ...rest } = settings;
    const keepsSecret =
      clientSecret === undefined || (before && openClientSecret(secrets, before) === clientSecret);
    const changed = before
      ? Object.entries(settingsOf(before))
          .filter(([name, value]) => !isDeepStrictEqual(value, rest[name as keyof typeof rest]))
          .map(([name]) => name)
      : Object.keys(rest);
    if (!keepsSecret) changed.push('clientSecret');
    if (changed.length === 0) return;
    const sealed = keepsSecret
      ? before!.client_secret
      : sealClientSecret(secrets, organizationId, clientSecret!);
    await upsertSettings(transaction, organizationId, { ...rest, clientSecret: sealed }, at);
    await recordAudit(transaction, source, {
      action: 'single_sign_on.changed',
      subjectId: organizationId,
      subjectName: settings.name,
      detail: {
        changed,
        issuer: settings.issuer,
        enabled: settings.enabled,
        passwordSignIn: settings.passwordSignIn,
      },
    });
    await followSettings(transaction, organizationId);
  });
}

/** Password sessions end when passwords are no longer accepted. */
export async function followSettings(transaction: Db, organizationId: string): Promise<void> {
  const before = await isSingleSignOnOnly(transaction, organizationId);
  const after = await updateSingleSignOnOnly(transaction, organizationId);
  if (after && !before) await deletePasswordSessions(transaction, organizationId);
}
