/**
 * Who someone from the provider is here. An account is found by issuer and subject, never by email address alone: an existing
 * account with the same address is linked only when its own session is present, or an admin allowed it.
 */

import type { PublicContext } from '../../../context.ts';
import type { SignedInPerson } from '../../../engines/identity-provider/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import {
  alterMember,
  insertMembership,
  insertUser,
  markAccepted,
  NO_PASSWORD,
  selectUserByEmail,
  updateMembershipAccess,
} from '../../accounts/index.ts';
import { anonymousSource, recordAudit, serviceOf } from '../../audit/index.ts';
import { holdActivations, type Owner } from '../../memberships/index.ts';
import type { Decision } from '../identities/decide-access.ts';
import {
  deleteIdentityOf,
  insertIdentity,
  isMemberElsewhere,
  lockIdentity,
  lockInvitation,
  lockMembership,
  updateSignedIn,
} from '../identities/identity-store.ts';
import { nextCheckAt } from '../identities/next-check.ts';
import { recordGroups } from '../identities/record-groups.ts';
import { sealRefreshToken } from '../settings/sealed.ts';
import type { SettingsRow } from '../settings/settings-store.ts';

export interface FoundPerson {
  row: SettingsRow;
  person: SignedInPerson;
  access: Decision & { allowed: true };
}

export interface Admitted {
  identityId: string;
  userId: string;
}

export async function admitPerson(
  context: PublicContext,
  transaction: Db,
  found: FoundPerson,
  /** The user whose session the browser has. */
  present: string | undefined,
): Promise<Admitted> {
  const { row, person } = found;
  const key = { organizationId: row.organization_id, issuer: person.issuer, subject: person.subject };
  let identity = await lockIdentity(transaction, key);
  if (!identity) {
    // Someone may be signing in for the first time in two tabs.
    await holdActivations(transaction, row.organization_id);
    identity = await lockIdentity(transaction, key);
  }
  if (identity) {
    await readmit(context, transaction, found, identity.user_id);
    const given = sealToken(context, found);
    await updateSignedIn(transaction, identity.id, {
      email: found.access.email,
      // Some providers send a refresh token only the first time.
      refreshToken: given ?? identity.refresh_token,
      ...timesOf(context, found, given ?? identity.refresh_token),
    });
    await recordGroups(
      transaction,
      row,
      { userId: identity.user_id, claims: person.claims },
      context.clock.now(),
    );
    return { identityId: identity.id, userId: identity.user_id };
  }
  const known = await selectUserByEmail(transaction, found.access.email);
  if (!known) return join(context, transaction, found);
  const owner = { organizationId: row.organization_id, userId: known.id };
  const membership = await lockMembership(transaction, owner);
  const isAllowed =
    present === known.id ||
    (membership?.identity_link_until != null &&
      membership.identity_link_until > context.clock.now() &&
      !(await isMemberElsewhere(transaction, owner)));
  if (!isAllowed) {
    throw new Problem(
      'single_sign_on_failed',
      `An account with the email address ${found.access.email} already exists. To link it, sign in with its password and open Settings → Account, or ask an admin to allow the link.`,
    );
  }
  if (membership) await readmit(context, transaction, found, known.id);
  else await addMembership(context, transaction, found, known);
  await deleteIdentityOf(transaction, owner);
  return addIdentity(context, transaction, found, known);
}

/** A member comes back: no longer suspended, with the role that the rules give. */
async function readmit(
  context: PublicContext,
  transaction: Db,
  { access, row }: FoundPerson,
  userId: string,
): Promise<void> {
  const owner = { organizationId: row.organization_id, userId };
  const membership = await lockMembership(transaction, owner);
  if (!membership || membership.deactivated_at !== null) {
    throw new Problem(
      'single_sign_on_failed',
      'Your account was deactivated. Ask an admin to reactivate it.',
    );
  }
  await updateMembershipAccess(transaction, owner, { suspended_at: null, identity_link_until: null });
  const source = serviceOf(row.organization_id, context.clock.now());
  if (membership.suspended_at !== null) {
    await recordAudit(transaction, source, {
      action: 'member.unsuspended',
      subjectId: userId,
      subjectName: membership.name,
    });
  }
  if (row.role_rules.length > 0 && access.role !== null && membership.role !== 'owner') {
    await alterMember(transaction, 'owner', source, { userId, role: access.role });
  }
}

/** Somebody new: by invitation, or because the settings allow it. */
async function join(context: PublicContext, transaction: Db, found: FoundPerson): Promise<Admitted> {
  const { email, name } = found.access;
  const user = { id: uuidv7(), email, name };
  await insertUser(transaction, { ...user, passwordHash: NO_PASSWORD, at: context.clock.now() });
  await addMembership(context, transaction, found, user);
  return addIdentity(context, transaction, found, user);
}

async function addMembership(
  context: PublicContext,
  transaction: Db,
  { access, row }: FoundPerson,
  user: { id: string; name: string },
): Promise<void> {
  const at = context.clock.now();
  const organizationId = row.organization_id;
  const invitation = await lockInvitation(transaction, organizationId, access.email, at);
  const given = row.role_rules.length > 0 ? access.role : (invitation?.role ?? access.role);
  if ((!invitation && row.new_members === 'invitation') || given === null) {
    throw new Problem(
      'single_sign_on_failed',
      `${access.email} is not a member of this organization. Ask an admin for an invitation.`,
    );
  }
  const source = anonymousSource(context, organizationId, user.id);
  const subject = { subjectName: user.name, detail: { role: given, by: 'single_sign_on' } };
  await insertMembership(transaction, { organizationId, userId: user.id, role: given, at });
  if (invitation) {
    await markAccepted(transaction, invitation.id, at);
    await recordAudit(transaction, source, {
      action: 'invitation.accepted',
      subjectId: invitation.id,
      ...subject,
    });
  }
  await recordAudit(transaction, source, { action: 'member.added', subjectId: user.id, ...subject });
}

export async function addIdentity(
  context: PublicContext,
  transaction: Db,
  found: FoundPerson,
  user: { id: string; name: string },
): Promise<Admitted> {
  const { access, person, row } = found;
  const identityId = uuidv7();
  const owner: Owner = { organizationId: row.organization_id, userId: user.id };
  const refreshToken = sealToken(context, found);
  await insertIdentity(transaction, {
    id: identityId,
    ...owner,
    issuer: person.issuer,
    subject: person.subject,
    email: access.email,
    refreshToken,
    ...timesOf(context, found, refreshToken),
  });
  await recordGroups(transaction, row, { userId: user.id, claims: person.claims }, context.clock.now());
  await recordAudit(transaction, anonymousSource(context, owner.organizationId, user.id), {
    action: 'single_sign_on.linked',
    subjectId: user.id,
    subjectName: user.name,
    detail: { issuer: person.issuer, email: access.email },
  });
  return { identityId, userId: user.id };
}

function sealToken({ secrets }: PublicContext, { person, row }: FoundPerson): Buffer | null {
  return person.refreshToken === null
    ? null
    : sealRefreshToken(secrets, row.organization_id, person.refreshToken);
}

function timesOf({ clock }: PublicContext, { row }: FoundPerson, refreshToken: Buffer | null) {
  const at = clock.now();
  return { at, nextCheckAt: nextCheckAt(row, at, refreshToken !== null) };
}
