/** Options shared by several commands, validated with the API's schemas. */
import type { z } from 'zod';
import {
  type Email,
  PersonName,
  selectMembershipsOf,
  selectOrganizations,
  selectUserByEmail,
} from '../../features/accounts/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Call, textOption } from '../command.ts';
import { printable } from '../terminal/printable.ts';

/** The parsed value of the option, or an error that names the option. */
export function checkedOption<Shape extends z.ZodType>(
  call: Call,
  name: string,
  shape: Shape,
): z.output<Shape> {
  const checked = shape.safeParse(textOption(call, name));
  if (checked.success) return checked.data;
  throw new StartFailure('usage', `--${name} ${checked.error.issues.map(sentenceOf).join(', ')}`);
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message;
}

/** The name of a new user; optional for an existing one. */
export function checkedNewName(call: Call, email: string): string {
  if (call.options.name === undefined) {
    throw new StartFailure('usage', `${email} is not a user yet: set their name with --name`);
  }
  return checkedOption(call, 'name', PersonName);
}

export const EXISTING_OPTION = {
  name: 'existing',
  meaning: 'Use the existing account with this email address; its name and password stay the same.',
};

/**
 * The existing account to add, or undefined when a new one is to be created. An account is reused only with `--existing`,
 * so that a mistyped address doesn't give another person access.
 */
export async function checkedAccount(db: Db, call: Call, email: z.output<typeof Email>) {
  if (call.options.existing === true) {
    if (call.options.name !== undefined) {
      throw new StartFailure('usage', '--name is only for a new user: leave it out with --existing');
    }
    return findUser(db, email);
  }
  const known = await selectUserByEmail(db, email);
  if (!known) return undefined;
  throw new StartFailure(
    'refused',
    `${email} already has an account, named ${printable(known.name)}. To use that account, replace --name with --existing. Nothing was changed.`,
  );
}

export const ORGANIZATION_OPTION = {
  name: 'organization',
  value: 'name or id',
  meaning: 'The organization, if there are several.',
};

const MAX_ORGANIZATIONS = 10_000;

export async function findUser(db: Db, email: z.output<typeof Email>) {
  const user = await selectUserByEmail(db, email);
  if (!user)
    throw new StartFailure(
      'refused',
      `no user with the email address ${email}. To list users: countersign user list`,
    );
  return user;
}

/** The requested organization, or the only one. */
export async function findOrganization(db: Db, call: Call) {
  return choose(
    await selectOrganizations(db, MAX_ORGANIZATIONS),
    call,
    'there is no organization yet. To create one: countersign setup',
  );
}

/** The requested organization among the user's own, or the only one. */
export async function findOrganizationOf(db: Db, call: Call, user: { id: string; email: string }) {
  return choose(
    await selectMembershipsOf(db, user.id),
    call,
    `${user.email} is not active in any organization`,
  );
}

function choose<Row extends { id: string; name: string }>(rows: Row[], call: Call, none: string): Row {
  const wanted = textOption(call, 'organization');
  const matching =
    wanted === '' ? rows : rows.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted);
  if (matching.length === 1) return matching[0]!;
  if (rows.length === 0) throw new StartFailure('refused', none);
  const names = rows
    .slice(0, 20)
    .map(({ id, name }) => `\n  ${id}  ${printable(name)}`)
    .join('');
  const sentence =
    matching.length === 0
      ? `no organization named ${printable(wanted)}; there are`
      : 'there are several organizations: choose one with --organization';
  const more = rows.length > 20 ? `\n  and ${rows.length - 20} more` : '';
  throw new StartFailure('refused', `${sentence}:${names}${more}`);
}
