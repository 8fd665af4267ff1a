/** `countersign organization export`, `organization delete` and `user delete`. */
import { resolve } from 'node:path';
import { Email } from '../../features/accounts/index.ts';
import { operatorOf, recordAudit } from '../../features/audit/index.ts';
import {
  countOrganization,
  countPerson,
  deleteOrganization,
  deletePerson,
  organizationLines,
  requireOtherOwners,
} from '../../features/privacy/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { agrees } from '../terminal/agrees.ts';
import { printable } from '../terminal/printable.ts';
import { writeNewFile } from '../terminal/write-new-file.ts';
import { checkedOption, findOrganization, findUser } from './check-option.ts';

const ORGANIZATION = {
  name: 'organization',
  value: 'name or id',
  required: true,
  meaning: 'The organization.',
};
const DRY_RUN = { name: 'dry-run', meaning: 'Print what would be deleted, and delete nothing.' };
const YES = { name: 'yes', meaning: 'Do not ask for confirmation.' };

export const organizationExport: Command = {
  name: 'organization export',
  summary: 'Export an organization as JSON lines',
  detail:
    'A consistent snapshot with one line per row; the service keeps running. Keys, password hashes and\nencrypted credentials are left out. The last line has the number of rows.',
  options: [
    ORGANIZATION,
    { name: 'to', value: 'file', required: true, meaning: 'The file to write. It must not exist yet.' },
  ],
  positional: 'organization',
  example: 'countersign organization export Acme --to acme.jsonl',
  quiet: true,
  async run(call) {
    const file = resolve(textOption(call, 'to'));
    const count = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      const at = systemClock.now();
      const rows = await writeNewFile(file, call.stopped, () => organizationLines(db, organization.id, at));
      await recordAudit(db, operatorOf(organization.id, at), { action: 'organization.exported' });
      return rows;
    });
    print(`${file}: ${count.toLocaleString('en-US')} rows.`);
  },
};

export const organizationDelete: Command = {
  name: 'organization delete',
  summary: 'Delete an organization and everything in it',
  detail:
    'Also deletes people who are members of no other organization. Copies of repositories on disk are deleted by each node\nwithin an hour. Nothing is changed on code hosts. This can’t be undone.',
  options: [ORGANIZATION, DRY_RUN, YES],
  positional: 'organization',
  example: 'countersign organization delete Acme --dry-run',
  quiet: true,
  async run(call) {
    needTerminal(call, 'organization delete');
    await withDatabase(call, async (db) => {
      const { id, name } = await findOrganization(db, call);
      if (call.options['dry-run']) return printCounts('would be deleted', await countOrganization(db, id));
      await confirm(call, `Delete ${printable(name)} and everything in it?`, name);
      const counts = await deleteOrganization(db, id);
      if (!counts) throw new StartFailure('refused', `${name} was deleted already`);
      printCounts('deleted', counts);
      print(`Deleted ${printable(name)}.`);
    });
  },
};

export const userDelete: Command = {
  name: 'user delete',
  summary: 'Delete a person from all organizations',
  detail:
    'Sessions, API keys, agents, linked accounts, mails and settings are deleted. What they wrote stays, with the name\nreplaced by “Deleted user”, and the audit log keeps what they did without their name. This can’t be undone.',
  options: [
    { name: 'email', value: 'address', required: true, meaning: 'The email address of the person.' },
    DRY_RUN,
    YES,
  ],
  positional: 'email',
  example: 'countersign user delete grace@example.com --dry-run',
  quiet: true,
  async run(call) {
    needTerminal(call, 'user delete');
    const email = checkedOption(call, 'email', Email);
    await withDatabase(call, async (db) => {
      const { id, name } = await findUser(db, email);
      const person = { id, name, email };
      await requireOtherOwners(db, person);
      if (call.options['dry-run']) {
        const { cleared, deleted, kept } = await countPerson(db, id);
        printCounts('would be deleted', { ...deleted, ...cleared });
        printCounts('would stay without the name', kept);
        return;
      }
      await confirm(call, `Delete ${printable(name)} (${email}) from all organizations?`, email);
      const { cleared, deleted } = await deletePerson(db, person, systemClock.now());
      printCounts('deleted', { ...deleted, ...cleared });
      print(`Deleted ${email}.`);
    });
  },
};

function needTerminal(call: Call, command: string): void {
  if (call.options.yes || call.options['dry-run'] || process.stdin.isTTY) return;
  throw new StartFailure(
    'usage',
    `${command} asks for confirmation, which needs a terminal. Use --yes to skip it, or --dry-run to see what would be deleted.`,
  );
}

async function confirm(call: Call, question: string, what: string): Promise<void> {
  if (call.options.yes || (await agrees(question, call.stopped))) return;
  throw new StartFailure('refused', `${printable(what)} was not deleted`);
}

function printCounts(what: string, counts: Record<string, number>): void {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  print(found.length === 0 ? `Nothing ${what}.` : `Rows that ${what === 'deleted' ? 'were deleted' : what}:`);
  for (const [name, count] of found.toSorted()) print(`  ${name}: ${count.toLocaleString('en-US')}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
