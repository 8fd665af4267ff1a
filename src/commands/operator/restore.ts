/** `countersign restore`: fills an empty database with a backup. */
import { resolve } from 'node:path';
import {
  checkBackup,
  isStandardInput,
  restoreBackup,
  STANDARD_INPUT,
  withBackupFile,
} from '../../platform/backup/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import {
  openWithPassphrase,
  placeSecretFile,
  readPassphrase,
  readSecretFile,
  type SealedSecret,
} from '../../platform/secrets/index.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { withUnmigratedDatabase } from '../serve/open-database.ts';
import { printable } from '../terminal/printable.ts';
import { readSecret } from '../terminal/read-password.ts';
import { count, createProgressDisplay } from '../terminal/show-progress.ts';
import { verifyWithProgress } from './backup.ts';

const PHASES = { loading: 'loading', indexing: 'building', migrating: 'migrating' } as const;

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty database',
  detail:
    'Run it before the first start of the service, with the same settings. The whole file is checked before anything is\nwritten, and everything is written in one transaction. Backups of older versions are migrated.\nThe passphrase of the secret file comes from BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, otherwise from standard input.\nA backup from a pipe, such as that of another program, is first written to a private file below TMPDIR.',
  options: [
    {
      name: 'file',
      value: 'file',
      required: true,
      meaning: 'The backup to restore, or - for standard input.',
    },
    { name: 'without-secret', meaning: 'Do not restore the secret file.' },
  ],
  positional: 'file',
  example: 'countersign restore countersign.backup < passphrase.txt',
  quiet: true,
  createsDatabase: true,
  async run(call) {
    const given = textOption(call, 'file');
    const file = given === STANDARD_INPUT ? given : resolve(given);
    const mayAsk = !(await isStandardInput(file));
    await withBackupFile(file, call.stopped, (readable) => restoreFrom(call, readable, mayAsk));
  },
};

/** `mayAsk` is false if standard input is the backup, and can't be the passphrase too. */
async function restoreFrom(call: Call, file: string, mayAsk: boolean): Promise<void> {
  const verified = await verifyWithProgress(call, file, checkBackup);
  const sealed = call.options['without-secret'] === true ? null : verified.header.secret;
  const secret = sealed && (await openSecret(call, sealed, mayAsk));
  const display = createProgressDisplay();
  const { rows, skipped } = await withUnmigratedDatabase({ ...call, create: true }, (connection) =>
    restoreBackup({
      connection,
      file,
      verified,
      signal: call.stopped,
      onProgress: ({ bytes, step }) =>
        display.show({
          phase: PHASES[step],
          percent: step === 'loading' ? Math.floor((100 * bytes) / Math.max(1, verified.bytes)) : null,
          objects: null,
          totalObjects: null,
          bytes,
        }),
      // Before the commit: if this fails, nothing is restored, and a second try finds the same secret.
      beforeCommit: async () => {
        if (secret) await placeSecret(call, secret);
      },
    }),
  ).finally(display.end);
  for (const table of skipped) print(`Skipped the table ${printable(table)}, which is not Countersign's.`);
  print(`Restored ${count(rows)} rows of ${verified.header.createdAt}. Start the service to use them.`);
  if (!secret)
    print(`Before you start it, copy the secret file of the old service to ${call.config.secretFile}.`);
}

/** Fails before anything is written if the passphrase is wrong or another secret is in the place. */
async function openSecret(call: Call, sealed: SealedSecret, mayAsk: boolean): Promise<Buffer> {
  const known = await readPassphrase(call.config.backupPassphrase);
  if (known === undefined && !mayAsk)
    throw new StartFailure(
      'refused',
      'the backup comes from standard input, so its passphrase must be in BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE',
    );
  const passphrase = known ?? (await readSecret('Passphrase of the backup', call.stopped));
  const secret = await openWithPassphrase(sealed, passphrase);
  const existing = await readSecretFile(call.config.secretFile);
  if (existing && !existing.equals(secret)) throw otherSecret(call);
  return secret;
}

async function placeSecret(call: Call, secret: Buffer): Promise<void> {
  const placed = await placeSecretFile(call.config.secretFile, secret);
  if (!placed.secret.equals(secret)) throw otherSecret(call);
}

function otherSecret(call: Call): StartFailure {
  return new StartFailure(
    'refused',
    `there is another secret in ${call.config.secretFile}. Move it away, or set SECRET_FILE. Nothing was changed.`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
