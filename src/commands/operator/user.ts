/** `countersign user`: manages users from the command line. */
import {
  addMember,
  alterMember,
  Email,
  hashPassword,
  RoleName,
  resetPassword,
  selectMembers,
  selectMembershipsOf,
} from '../../features/accounts/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { readPassword } from '../terminal/read-password.ts';
import {
  checkedAccount,
  checkedNewName,
  checkedOption,
  EXISTING_OPTION,
  findOrganization,
  findOrganizationOf,
  findUser,
  ORGANIZATION_OPTION,
} from './check-option.ts';

const EMAIL_OPTION = {
  name: 'email',
  value: 'address',
  required: true,
  meaning: "The user's email address.",
};

export const userAdd: Command = {
  name: 'user add',
  summary: 'Add a user to an organization',
  detail:
    'For a new user, the password is read from standard input. For a user of another organization, use --existing.',
  options: [
    EMAIL_OPTION,
    { name: 'name', value: 'name', meaning: "The user's name. Required for a new user." },
    EXISTING_OPTION,
    { name: 'role', value: 'role', meaning: 'viewer, member, admin or owner (default member).' },
    ORGANIZATION_OPTION,
  ],
  example: 'countersign user add --email grace@example.com --name "Grace Hopper" --role admin < password.txt',
  quiet: true,
  async run(call) {
    const email = checkedOption(call, 'email', Email);
    const role = call.options.role ? checkedOption(call, 'role', RoleName) : 'member';
    await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      const source = operatorOf(organization.id, systemClock.now());
      const known = await checkedAccount(db, call, email);
      if (known) return addMember(db, known, role, source);
      const name = checkedNewName(call, email);
      const passwordHash = await hashPassword(await readPassword(email, call.stopped));
      return addMember(db, { id: uuidv7(), email, name }, role, source, { passwordHash });
    });
    process.stdout.write(`Added ${printable(email)} as ${role}.\n`);
  },
};

export const userList: Command = {
  name: 'user list',
  summary: 'List the users of an organization',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign user list --json',
  quiet: true,
  async run(call) {
    const rows = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      return selectMembers(db, organization.id, { limit: 100_000 });
    });
    printRows(
      rows.map((row) => ({
        email: row.email,
        name: row.name,
        role: row.role,
        createdAt: row.created_at.toISOString(),
        deactivatedAt: row.deactivated_at?.toISOString() ?? null,
      })),
      { json: call.options.json === true, empty: 'No users.' },
    );
  },
};

export const userDeactivate: Command = {
  name: 'user deactivate',
  summary: 'Deactivate a user: ends their sessions and API keys immediately',
  detail: "In the organization given with --organization, or in all of the user's organizations.",
  options: [EMAIL_OPTION, ORGANIZATION_OPTION],
  example: 'countersign user deactivate --email grace@example.com',
  quiet: true,
  async run(call) {
    const email = checkedOption(call, 'email', Email);
    const organizations = await withDatabase(call, async (db) => {
      const user = await findUser(db, email);
      const chosen = textOption(call, 'organization')
        ? [await findOrganizationOf(db, call, user)]
        : await selectMembershipsOf(db, user.id);
      const at = systemClock.now();
      await inTransaction(db, async (transaction) => {
        for (const { id } of chosen) {
          await alterMember(transaction, 'owner', operatorOf(id, at), { userId: user.id, active: false });
        }
      });
      return chosen;
    });
    const names = organizations.map(({ name }) => printable(name)).join(', ');
    process.stdout.write(
      names
        ? `Deactivated ${printable(email)} in ${names}.\n`
        : `${printable(email)} was not active in any organization. Nothing was changed.\n`,
    );
  },
};

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'Set a new password for a user',
  detail:
    "The password is read from standard input. All of the user's sessions end; their API keys keep working.",
  options: [EMAIL_OPTION],
  example: 'countersign user reset-password --email grace@example.com < password.txt',
  quiet: true,
  async run(call) {
    const email = checkedOption(call, 'email', Email);
    await withDatabase(call, async (db) => {
      const user = await findUser(db, email);
      const password = await readPassword(email, call.stopped);
      const at = systemClock.now();
      const sources = (await selectMembershipsOf(db, user.id)).map(({ id }) => operatorOf(id, at));
      await resetPassword(db, user, password, sources, at);
    });
    process.stdout.write(`Set a new password for ${printable(email)} and ended all of their sessions.\n`);
  },
};
