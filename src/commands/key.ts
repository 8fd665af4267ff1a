/** `countersign key`: API keys, from the host itself. */
import type { z } from 'zod';
import { Email } from '../features/accounts/index.ts';
import {
  endApiKey,
  findKeyOwner,
  generateApiKey,
  KeyName,
  type Owner,
  selectKeys,
} from '../features/api-keys/index.ts';
import { operatorOf } from '../features/audit/index.ts';
import { systemClock } from '../platform/core/clock.ts';
import { uuid } from '../platform/core/shapes.ts';
import { StartFailure } from '../platform/core/start-failure.ts';
import type { Db } from '../platform/db/index.ts';
import { checkedOption, findOrganizationOf, findUser, ORGANIZATION_OPTION } from './check-option.ts';
import { type Call, type Command, textOption } from './command.ts';
import { withDatabase } from './open-database.ts';
import { printRows } from './print-table.ts';
import { printable } from './printable.ts';

const EMAIL_OPTION = {
  name: 'email',
  value: 'address',
  required: true,
  meaning: 'The user whom the key acts as.',
};

/** Far more than anybody has; a list is printed whole. */
const MAX_KEYS = 100_000;

export const keyCreate: Command = {
  name: 'key create',
  summary: 'Generate an API key and print its secret',
  detail:
    'Only the secret goes to standard output, so that a script can take it from there. It is shown this once.',
  options: [
    EMAIL_OPTION,
    { name: 'name', value: 'label', required: true, meaning: 'A label, to tell the key from others.' },
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
    process.stderr.write(`The key ${labelOf(made.row)} was made. Its secret is shown this once:\n`);
    process.stdout.write(`${made.secret}\n`);
  },
};

export const keyList: Command = {
  name: 'key list',
  summary: "List a user's API keys, revoked ones too",
  options: [EMAIL_OPTION, ORGANIZATION_OPTION, { name: 'json', meaning: 'Print JSON.' }],
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
      { json: call.options.json === true, empty: 'There are no keys.' },
    );
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revoke an API key: it opens nothing from this moment on',
  detail: 'Name it by its id, or by its user and its label. It cannot be undone.',
  options: [
    { name: 'id', value: 'id', meaning: 'The id that `key list` shows.' },
    { name: 'email', value: 'address', meaning: 'With --name: the user whom the key acts as.' },
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
    process.stdout.write(`The key ${labelOf(revoked)} is revoked.\n`);
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

/** How the key is to be found, with all that can be checked without the database checked. */
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
    'key revoke needs an id alone, or --email with --name\nSee: countersign key revoke --help',
  );
}

async function findById(db: Db, keyId: string): Promise<FoundKey> {
  const owner = await findKeyOwner(db, keyId);
  if (!owner) throw new StartFailure('refused', `there is no key ${keyId}; see: countersign key list`);
  return { keyId, owner };
}

async function findByName(db: Db, owner: Owner, name: string): Promise<FoundKey> {
  const keys = (await selectKeys(db, owner, { limit: MAX_KEYS })).filter(
    (key) => key.name === name && !key.revoked_at,
  );
  if (keys.length === 1) return { keyId: keys[0]!.id, owner };
  const sentence =
    keys.length === 0
      ? `there is no active key named ${printable(name)}; see: countersign key list`
      : `several active keys are named ${printable(name)}; say which one by its id:`;
  const ids = keys.map((key) => `\n  ${key.id}  ${key.prefix}…${key.last_four}`).join('');
  throw new StartFailure('refused', `${sentence}${ids}`);
}
