/** `countersign backup`: writes everything in the database to one file, and checks such files. */
import { resolve } from 'node:path';
import { verifyBackup, writeBackup } from '../../platform/backup/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { formatSize } from '../../platform/core/text/format-size.ts';
import {
  readPassphrase,
  readSecretFile,
  type SealedSecret,
  sealWithPassphrase,
} from '../../platform/secrets/index.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { withUnmigratedDatabase } from '../serve/open-database.ts';
import { readNewPassphrase } from '../terminal/read-password.ts';
import { count, createProgressDisplay } from '../terminal/show-progress.ts';
import { unlessStopped } from '../terminal/stop-signal.ts';

const FILE_OPTION = { name: 'file', value: 'file', required: true };

export const backup: Command = {
  name: 'backup',
  summary: 'Back up the database and the secret file',
  detail:
    'The service keeps running. The backup is one consistent state of the database; the file appears when it is complete.\nThe secret file is included, sealed by a passphrase: from BACKUP_PASSPHRASE or\nBACKUP_PASSPHRASE_FILE, otherwise from standard input.\nRepository mirrors and search indexes are not included: they are created again.',
  options: [
    { ...FILE_OPTION, meaning: 'The file to write. It must not exist yet.' },
    { name: 'without-secret', meaning: 'Leave the secret file out.' },
  ],
  positional: 'file',
  example: 'countersign backup countersign.backup < passphrase.txt',
  quiet: true,
  async run(call) {
    const file = resolve(textOption(call, 'file'));
    const secret = await sealedSecret(call);
    const display = createProgressDisplay();
    const result = await withUnmigratedDatabase(call, (connection) =>
      writeBackup({
        connection,
        file,
        secret,
        signal: call.stopped,
        onProgress: ({ bytes, percent, tables, totalTables }) =>
          display.show({ phase: 'copying', percent, objects: tables, totalObjects: totalTables, bytes }),
      }),
    ).finally(display.end);
    const { bytes, rows, tables } = result;
    print(`${file}: ${count(tables)} tables, ${count(rows)} rows, ${formatSize(bytes)}.`);
    if (!secret) print(`It does not include the secret file. Keep a copy of ${call.config.secretFile}.`);
  },
};

export const backupVerify: Command = {
  name: 'backup verify',
  summary: 'Check that a backup is complete and undamaged',
  detail: 'Reads the whole file. Needs no database and no passphrase.',
  options: [{ ...FILE_OPTION, meaning: 'The file to check.' }],
  positional: 'file',
  example: 'countersign backup verify countersign.backup',
  quiet: true,
  async run(call) {
    const file = resolve(textOption(call, 'file'));
    const { bytes, header, rows } = await verifyWithProgress(call, file, verifyBackup);
    print(
      `${file} is complete and undamaged: made at ${header.createdAt} by Countersign ${header.version}, ${count(header.tables.length)} tables, ${count(rows)} rows, ${formatSize(bytes)} uncompressed, ${header.secret ? 'with' : 'without'} the secret file.`,
    );
  },
};

export async function verifyWithProgress(call: Call, file: string, verify: typeof verifyBackup) {
  const display = createProgressDisplay();
  const verifying = verify(file, () => {
    display.show({ phase: 'verifying', percent: null, objects: null, totalObjects: null, bytes: null });
  });
  return unlessStopped(call.stopped, verifying).finally(display.end);
}

async function sealedSecret(call: Call): Promise<SealedSecret | null> {
  if (call.options['without-secret'] === true) return null;
  const { backupPassphrase, secretFile } = call.config;
  const secret = await readSecretFile(secretFile);
  if (!secret)
    throw new StartFailure(
      'refused',
      `there is no secret file at ${secretFile}. Run this where the service runs, set SECRET_FILE, or leave it out with --without-secret.`,
    );
  const passphrase =
    (await readPassphrase(backupPassphrase)) ??
    (await readNewPassphrase('Passphrase for the secret file', call.stopped));
  return sealWithPassphrase(secret, passphrase);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
