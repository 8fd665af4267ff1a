/** `countersign setup` and `countersign organization`: manage organizations and their owners from the command line. */
import {
  alreadySetUp,
  anyOrganization,
  createFirstOrganization,
  createOrganization,
  Email,
  hashPassword,
  joinNewOrganization,
  OrganizationName,
  PersonName,
  selectOrganizations,
} from '../../features/accounts/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { type Call, type Command, JSON_OPTION } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { readPassword } from '../terminal/read-password.ts';
import { checkedAccount, checkedNewName, checkedOption, EXISTING_OPTION } from './check-option.ts';

const OWNER_OPTIONS = [
  { name: 'organization', value: 'name', required: true, meaning: 'The name of the organization.' },
  {
    name: 'email',
    value: 'address',
    required: true,
    meaning: "The owner's email address, to sign in with.",
  },
];

export const setup: Command = {
  name: 'setup',
  summary: 'Create the first organization and its owner',
  detail:
    'The password is read from standard input. Works once; does the same as the setup link that the service prints.',
  options: [...OWNER_OPTIONS, { name: 'name', value: 'name', required: true, meaning: "The owner's name." }],
  example:
    'countersign setup --organization Acme --email ada@example.com --name "Ada Lovelace" < password.txt',
  quiet: true,
  createsDatabase: true,
  async run(call) {
    const { organizationName, email } = ownerOptions(call);
    const name = checkedOption(call, 'name', PersonName);
    const password = await readPassword(email, call.stopped);
    await withDatabase({ ...call, create: true }, async (db) => {
      if (await anyOrganization(db)) throw alreadySetUp();
      const passwordHash = await hashPassword(password);
      const at = systemClock.now();
      await inTransaction(db, (transaction) =>
        createFirstOrganization(
          transaction,
          { organizationName, name, email, passwordHash },
          (id) => operatorOf(id, at),
          at,
        ),
      );
    });
    process.stdout.write(`Created ${printable(organizationName)}, owned by ${printable(email)}.\n`);
  },
};

export const organizationAdd: Command = {
  name: 'organization add',
  summary: 'Create another organization',
  detail: 'For a new user, the password is read from standard input. For an existing user, use --existing.',
  options: [
    ...OWNER_OPTIONS,
    { name: 'name', value: 'name', meaning: "The owner's name. Required for a new user." },
    EXISTING_OPTION,
  ],
  example: 'countersign organization add --organization "Acme Labs" --email ada@example.com --existing',
  quiet: true,
  async run(call) {
    const { organizationName, email } = ownerOptions(call);
    await withDatabase(call, async (db) => {
      const known = await checkedAccount(db, call, email);
      const at = systemClock.now();
      if (known) {
        await inTransaction(db, (transaction) =>
          joinNewOrganization(transaction, organizationName, known, (id) => operatorOf(id, at), at),
        );
        return;
      }
      const name = checkedNewName(call, email);
      const passwordHash = await hashPassword(await readPassword(email, call.stopped));
      await inTransaction(db, (transaction) =>
        createOrganization(
          transaction,
          { organizationName, name, email, passwordHash },
          (id) => operatorOf(id, at),
          at,
        ),
      );
    });
    process.stdout.write(`Created ${printable(organizationName)}, owned by ${printable(email)}.\n`);
  },
};

export const organizationList: Command = {
  name: 'organization list',
  summary: 'List the organizations',
  options: [JSON_OPTION],
  example: 'countersign organization list',
  quiet: true,
  async run(call) {
    const rows = await withDatabase(call, (db) => selectOrganizations(db, 10_000));
    printRows(
      rows.map((row) => ({ id: row.id, name: row.name, createdAt: row.created_at.toISOString() })),
      {
        json: call.options.json === true,
        empty: 'There is no organization yet. To create one: countersign setup',
      },
    );
  },
};

function ownerOptions(call: Call) {
  return {
    organizationName: checkedOption(call, 'organization', OrganizationName),
    email: checkedOption(call, 'email', Email),
  };
}
