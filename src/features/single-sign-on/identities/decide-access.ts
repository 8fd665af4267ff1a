/** Decides from a provider's claims who someone is and which role they get. Pure. */

import type { GivenRole, RoleRule } from '../../../engines/identity-provider/contract.ts';
import { ROLES } from '../../../platform/core/operations/actor.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { Email, MAX_NAME_LENGTH, PersonName } from '../../accounts/index.ts';

export interface AccessRules {
  allowedDomains: readonly string[];
  roleClaim: string;
  roleRules: readonly RoleRule[];
  defaultRole: GivenRole | null;
}

type Claims = Record<string, unknown>;

export type Decision =
  | { allowed: true; email: string; name: string; role: GivenRole | null }
  | { allowed: false; reason: string };

/** `role` is null where neither a rule nor a default gives one; only members who have a role already may enter then. */
export function decideAccess(claims: Claims, rules: AccessRules): Decision {
  const email = Email.safeParse(claims.email);
  if (!email.success) {
    return refuse(
      'The provider sent no email address. An admin must allow the email claim for this application.',
    );
  }
  if (!isVerified(claims)) {
    return refuse(
      `The provider has not verified the email address ${email.data}. Verify it there, then sign in again.`,
    );
  }
  const domain = email.data.slice(email.data.lastIndexOf('@') + 1);
  if (rules.allowedDomains.length > 0 && !rules.allowedDomains.includes(domain)) {
    return refuse(`Email addresses of ${domain} can’t sign in to this organization.`);
  }
  const role = decideRole(claims, rules);
  if (role === null && rules.roleRules.length > 0) {
    return refuse(
      'You are in no group that may use Countersign. Ask an admin to add you to one at the provider.',
    );
  }
  return { allowed: true, email: email.data, name: nameOf(claims, email.data), role };
}

/** The highest role of the matching rules, otherwise the default. */
export function decideRole(claims: Claims, rules: AccessRules): GivenRole | null {
  const values = new Set(valuesOf(claims, rules.roleClaim));
  const matching = rules.roleRules.filter(({ value }) => values.has(value)).map(({ role }) => role);
  const highest = ROLES.findLast((role) => matching.some((each) => each === role));
  return (highest as GivenRole | undefined) ?? rules.defaultRole;
}

/** Whether the claims say anything about groups. */
export function hasRoleClaim(claims: Claims, claim: string): boolean {
  return valueAt(claims, claim) !== undefined;
}

const MAX_GROUPS = 1000;
const MAX_GROUP_CHARACTERS = 200;

/** The groups that the provider names; longer names can't be those of a team. */
export function groupsOf(claims: Claims, claim: string): string[] {
  const groups = valuesOf(claims, claim).filter((group) => group.length <= MAX_GROUP_CHARACTERS);
  return [...new Set(groups.map(storable))].slice(0, MAX_GROUPS);
}

function valuesOf(claims: Claims, claim: string): string[] {
  const value = valueAt(claims, claim);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}

/** A claim by its whole name, because names may contain dots, otherwise by a path into objects. */
function valueAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  let value: unknown = claims;
  for (const part of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** Entra ID says it in a claim of its own, and some providers send text. */
function isVerified(claims: Claims): boolean {
  const yes: unknown[] = [true, 'true', '1', 1];
  return (
    yes.includes(claims.email_verified) ||
    (claims.email_verified === undefined && yes.includes(claims.xms_edov))
  );
}

function nameOf(claims: Claims, email: string): string {
  const name = PersonName.safeParse(claims.name);
  return name.success ? name.data : email.slice(0, Math.min(email.lastIndexOf('@'), MAX_NAME_LENGTH));
}

function refuse(reason: string): Decision {
  return { allowed: false, reason };
}
