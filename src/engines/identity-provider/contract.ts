/** Single sign-on as an organization or the operator sets it up. */
import type { Role } from '../../platform/core/operations/actor.ts';

/** Roles that a provider can give; owners are made by owners only. */
export const GIVEN_ROLES = ['viewer', 'member', 'admin'] as const satisfies readonly Role[];
export type GivenRole = (typeof GIVEN_ROLES)[number];

export interface RoleRule {
  /** A value of the claim, such as the name of a group. */
  value: string;
  role: GivenRole;
}

export interface SingleSignOnSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Shown on the button of the sign-in page. */
  name: string;
  allowedDomains: string[];
  newMembers: 'first_sign_in' | 'invitation';
  /** Null: people without a mapped group are refused. */
  defaultRole: GivenRole | null;
  roleClaim: string;
  roleRules: RoleRule[];
  passwordSignIn: boolean;
  recheckMinutes: number;
  signInHours: number;
}

/** `organization` is an ID or a name; default: the first organization. */
export type EnvironmentSingleSignOn = SingleSignOnSettings & { organization: string | undefined };
