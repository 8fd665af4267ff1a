/** `countersign key`: manages API keys from the command line. */
import type { z } from 'zod';
import { Email } from '../../features/accounts/index.ts';
import {
  endApiKey,
  findKeyOwner,
  generateApiKey,
  KeyName,
  selectKeys,
} from '../../features/api-keys/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import type { Owner } from '../../features/memberships/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { checkedOption, findOrganizationOf, findUser, ORGANIZATION_OPTION } from './check-option.ts';

const EMAIL_OPTION = {
  name: 'email',
  value: 'address',
  required: true,
  meaning: 'The user that the key acts as.',
};

/** More than any user has, because lists are printed without paging. */
const MAX_KEYS = 100_000;

export const keyCreate: Command = {
  name: 'key create',
  summary: 'Create an API key and print it',
  detail:
    'Only the key is written to standard output, so that scripts can capture it. It is shown only once.',
  options: [
    EMAIL_OPTION,
    { name: 'name', value: 'label', required: true, meaning: 'A label to recognize the key.' },
    ORGANIZATION_OPTION,
  ],
  example: 'KEY=$(countersign key create --email ada@example.com --name "CI")',
  quiet: true,
  async run(call) {
    const name = checkedOption(call, 'name', KeyName);
    const email = checkedOption(call, 'email', Email);
    const made = await withDatabase(call, async (db) => {
      const owner = await findOwner(db, call, email);
      return generateApiKey(db, owner, name, operatorOf(owner.organizationId, systemClock.now()));
    });
    process.stderr.write(`Created API key ${labelOf(made.row)}. It is shown only once:\n`);
    process.stdout.write(`${made.secret}\n`);
  },
};

export const keyList: Command = {
  name: 'key list',
  summary: "List a user's API keys, including revoked ones",
  options: [EMAIL_OPTION, ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign key list --email ada@example.com',
  quiet: true,
  async run(call) {
    const email = checkedOption(call, 'email', Email);
    const rows = await withDatabase(call, async (db) =>
      selectKeys(db, await findOwner(db, call, email), { limit: MAX_KEYS }),
    );
    printRows(
      rows.map((row) => ({
        id: row.id,
        name: row.name,
        key: `${row.prefix}…${row.last_four}`,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        revokedAt: row.revoked_at?.toISOString() ?? null,
      })),
      { json: call.options.json === true, empty: 'No API keys.' },
    );
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revoke an API key; takes effect immediately',
  detail: "Identify the key by its id, or by its user and label. This can't be undone.",
  options: [
    { name: 'id', value: 'id', meaning: 'The id shown by `key list`.' },
    { name: 'email', value: 'address', meaning: 'With --name: the user that the key acts as.' },
    { name: 'name', value: 'label', meaning: "With --email: the key's label." },
    ORGANIZATION_OPTION,
  ],
  positional: 'id',
  example: 'countersign key revoke 0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
  quiet: true,
  async run(call) {
    const find = chooseKey(call);
    const revoked = await withDatabase(call, async (db) => {
      const { keyId, owner } = await find(db);
      return endApiKey(db, owner, keyId, operatorOf(owner.organizationId, systemClock.now()));
    });
    process.stdout.write(`Revoked the key ${labelOf(revoked)}.\n`);
  },
};

function labelOf(key: { name: string; prefix: string; last_four: string }): string {
  return `${printable(key.name)} (${key.prefix}…${key.last_four})`;
}

async function findOwner(db: Db, call: Call, email: z.output<typeof Email>): Promise<Owner> {
  const user = await findUser(db, email);
  const organization = await findOrganizationOf(db, call, user);
  return { organizationId: organization.id, userId: user.id };
}

type FoundKey = { keyId: string; owner: Owner };

/** How to find the key, with everything validated that doesn't need the database. */
function chooseKey(call: Call): (db: Db) => Promise<FoundKey> {
  const { id, email, name } = call.options;
  if (id && !email && !name) {
    const keyId = checkedOption(call, 'id', uuid());
    return (db) => findById(db, keyId);
  }
  if (email && name && !id) {
    const checkedEmail = checkedOption(call, 'email', Email);
    return async (db) => findByName(db, await findOwner(db, call, checkedEmail), textOption(call, 'name'));
  }
  throw new StartFailure(
    'usage',
    'key revoke: requires either an id, or --email and --name\nSee: countersign key revoke --help',
  );
}

async function findById(db: Db, keyId: string): Promise<FoundKey> {
  const owner = await findKeyOwner(db, keyId);
  if (!owner)
    throw new StartFailure('refused', `no key with the id ${keyId}. To list keys: countersign key list`);
  return { keyId, owner };
}

async function findByName(db: Db, owner: Owner, name: string): Promise<FoundKey> {
  const keys = (await selectKeys(db, owner, { limit: MAX_KEYS })).filter(
    (key) => key.name === name && !key.revoked_at,
  );
  if (keys.length === 1) return { keyId: keys[0]!.id, owner };
  const sentence =
    keys.length === 0
      ? `no active key named ${printable(name)}. To list keys: countersign key list`
      : `several active keys are named ${printable(name)}. Give the id of one of them:`;
  const ids = keys.map((key) => `\n  ${key.id}  ${key.prefix}…${key.last_four}`).join('');
  throw new StartFailure('refused', `${sentence}${ids}`);
}
