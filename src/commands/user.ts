/** `countersign user`: people, from the host itself. */
import {
  addMember,
  alterMember,
  Email,
  hashPassword,
  RoleName,
  resetPassword,
  selectMembers,
  selectMembershipsOf,
  selectUserByEmail,
} from '../features/accounts/index.ts';
import { operatorOf } from '../features/audit/index.ts';
import { systemClock } from '../platform/core/clock.ts';
import { uuidv7 } from '../platform/core/uuid.ts';
import { inTransaction } from '../platform/db/index.ts';
import {
  checkedNewName,
  checkedOption,
  findOrganization,
  findOrganizationOf,
  findUser,
  ORGANIZATION_OPTION,
} from './check-option.ts';
import { type Command, textOption } from './command.ts';
import { withDatabase } from './open-database.ts';
import { printRows } from './print-table.ts';
import { printable } from './printable.ts';
import { readPassword } from './read-password.ts';

const EMAIL_OPTION = {
  name: 'email',
  value: 'address',
  required: true,
  meaning: "The user's e-mail address.",
};

export const userAdd: Command = {
  name: 'user add',
  summary: 'Add a person to an organization',
  detail:
    'For a new user the password is read from standard input. Someone who is a user already keeps theirs.',
  options: [
    EMAIL_OPTION,
    { name: 'name', value: 'name', meaning: 'Their name, for a new user.' },
    { name: 'role', value: 'role', meaning: 'viewer, member, admin or owner; member unless told.' },
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
      const known = await selectUserByEmail(db, email);
      if (known) return addMember(db, known, role, source);
      const name = checkedNewName(call, email);
      const passwordHash = await hashPassword(await readPassword(email, call.stopped));
      return addMember(db, { id: uuidv7(), email, name }, role, source, { passwordHash });
    });
    process.stdout.write(`${printable(email)} was added as ${role}.\n`);
  },
};

export const userList: Command = {
  name: 'user list',
  summary: 'List the people of an organization',
  options: [ORGANIZATION_OPTION, { name: 'json', meaning: 'Print JSON.' }],
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
      { json: call.options.json === true, empty: 'There is nobody.' },
    );
  },
};

export const userDeactivate: Command = {
  name: 'user deactivate',
  summary: 'Shut a person out: ends their sessions and keys at once',
  detail: 'In one organization with --organization, else in every organization they belong to.',
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
        ? `${printable(email)} is shut out of ${names}.\n`
        : `${printable(email)} was not active in any organization; nothing was changed.\n`,
    );
  },
};

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'Give a person a new password',
  detail: 'The password is read from standard input. All their sessions end; their keys go on.',
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
    process.stdout.write(`${printable(email)} has a new password; all their sessions have ended.\n`);
  },
};
