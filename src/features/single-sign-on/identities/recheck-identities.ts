/**
 * Asks the provider again about people who signed in with it. Only a definite answer ends access: an outage of the provider
 * changes nothing.
 */

import type { OperationSettings } from '../../../context.ts';
import { type IdentityProviders, ProviderError } from '../../../engines/identity-provider/index.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { alterMember } from '../../accounts/index.ts';
import { serviceOf } from '../../audit/index.ts';
import { settingsOf } from '../settings/save-settings.ts';
import { connectionOf, openRefreshToken, sealRefreshToken } from '../settings/sealed.ts';
import { type SettingsRow, selectSettings } from '../settings/settings-store.ts';
import { decideRole, hasRoleClaim } from './decide-access.ts';
import { type DueCheck, takeDueChecks, updateChecked } from './due-check-store.ts';
import { lockMembership } from './identity-store.ts';
import { nextCheckAt } from './next-check.ts';
import { recordGroups } from './record-groups.ts';
import { suspendMember } from './suspend-member.ts';

const BATCH = 10;
/** Longer than a batch takes: the provider answers, or doesn't, within 30 seconds per person. */
const LEASE_MS = 2 * 60_000;
const RETRY_MS = 60_000;
/** The rest is done in the next run. */
const MAX_BATCHES = 200;

interface RecheckServices {
  db: Db;
  secrets: SecretBox;
  identityProviders: IdentityProviders;
  settings: Pick<OperationSettings, 'allowPrivateAddresses' | 'singleSignOn'>;
  log: Log;
}

export async function recheckIdentities(services: RecheckServices, now: Date): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const due = await takeDueChecks(services.db, now, new Date(now.getTime() + LEASE_MS), BATCH);
    await Promise.all(due.map((check) => recheck(services, check, now)));
    if (due.length < BATCH) return;
  }
}

async function recheck(services: RecheckServices, check: DueCheck, now: Date): Promise<void> {
  const row = await selectSettings(services.db, check.organization_id);
  if (!row) return;
  // After a change of provider, nobody can confirm the people of the earlier one.
  if (check.refresh_token === null || check.issuer !== row.issuer) {
    return expireSignIn(services.db, check, row, now);
  }
  try {
    const token = openRefreshToken(services.secrets, check.organization_id, check.refresh_token);
    const person = await services.identityProviders.refresh(
      connectionOf(services, row),
      token,
      check.subject,
    );
    await confirm(services, check, row, person, now);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code === 'refused') return refuse(services.db, check, now);
    services.log.warn(
      { organization: check.organization_id, user: check.user_id, reason: error.message },
      'could not ask the single sign-on provider about a person; they keep their access',
    );
    await updateChecked(services.db, check, { next_check_at: new Date(now.getTime() + RETRY_MS) });
  }
}

async function expireSignIn(db: Db, check: DueCheck, row: SettingsRow, now: Date): Promise<void> {
  const until = nextCheckAt(row, check.confirmed_at, false);
  await inTransaction(db, async (transaction) => {
    if (!(await updateChecked(transaction, check, { next_check_at: until })) || until > now) return;
    await suspendMember(transaction, ownerOf(check), 'sign_in_expired', now);
  });
}

async function refuse(db: Db, check: DueCheck, now: Date): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const change = { refresh_token: null, next_check_at: now };
    if (!(await updateChecked(transaction, check, change))) return;
    await suspendMember(transaction, ownerOf(check), 'refused_by_provider', now);
  });
}

async function confirm(
  { db, secrets }: RecheckServices,
  check: DueCheck,
  row: SettingsRow,
  person: { refreshToken: string | null; claims: Record<string, unknown> },
  now: Date,
): Promise<void> {
  const { organization_id: organizationId, user_id: userId } = check;
  await inTransaction(db, async (transaction) => {
    const kept = await updateChecked(transaction, check, {
      ...(person.refreshToken !== null && {
        refresh_token: sealRefreshToken(secrets, organizationId, person.refreshToken),
      }),
      confirmed_at: now,
      next_check_at: nextCheckAt(row, now, true),
    });
    if (!kept || !hasRoleClaim(person.claims, row.role_claim)) return;
    await recordGroups(transaction, row, { userId, claims: person.claims }, now);
    if (row.role_rules.length === 0) return;
    const membership = await lockMembership(transaction, ownerOf(check));
    if (!membership || membership.role === 'owner') return;
    const role = decideRole(person.claims, settingsOf(row));
    if (role === null) return suspendMember(transaction, ownerOf(check), 'no_longer_allowed', now);
    await alterMember(transaction, 'owner', serviceOf(organizationId, now), { userId, role });
  });
}

function ownerOf(check: DueCheck) {
  return { organizationId: check.organization_id, userId: check.user_id };
}
