/** Opens the operator's secret at startup and checks that it is the one used for this database. */
import { rm } from 'node:fs/promises';
import { StartFailure } from '../core/errors/start-failure.ts';
import type { SecretBox } from '../core/ports/secret-box.ts';
import type { Db } from '../db/index.ts';
import { claimFingerprint, selectFingerprint } from './fingerprint-store.ts';
import { createSecretBox, fingerprintOf } from './seal.ts';
import { createSecretFile, readSecretFile } from './secret-file.ts';

/**
 * The first node of an empty database creates the secret; every other node needs a copy of it. A secret is never created
 * for a database that already has one: everything sealed would silently be lost.
 */
export async function openSecrets({ db, file }: { db: Db; file: string }): Promise<SecretBox> {
  const known = await selectFingerprint(db);
  const found = await readSecretFile(file);
  if (found) {
    if (!fingerprintOf(found).equals(known ?? (await claimFingerprint(db, fingerprintOf(found))))) {
      throw otherSecret(file);
    }
    return createSecretBox(found);
  }
  if (known) throw missingSecret(file);
  const { isOurs, secret } = await createSecretFile(file);
  if (!fingerprintOf(secret).equals(await claimFingerprint(db, fingerprintOf(secret)))) {
    // Another node was first. The new file has sealed nothing yet and would only get in the way.
    if (isOurs) await rm(file, { force: true });
    throw missingSecret(file);
  }
  return createSecretBox(secret);
}

/** Fails if the file can't be used with this database; changes nothing. */
export async function verifySecretFile({ db, file }: { db: Db; file: string }): Promise<void> {
  const found = await readSecretFile(file);
  const known = await selectFingerprint(db);
  if (found && known && !fingerprintOf(found).equals(known)) throw otherSecret(file);
}

const HOW =
  'Copy the secret file from a node that uses this database (its SECRET_FILE, by default secret.key in its data folder), or restore it from a backup. Without it, repository credentials and webhook secrets cannot be decrypted.';

function otherSecret(file: string): StartFailure {
  return new StartFailure(
    'secret_unusable',
    `The secret in ${file} is not the one used for this database. ${HOW}`,
  );
}

function missingSecret(file: string): StartFailure {
  return new StartFailure(
    'secret_unusable',
    `The secret file ${file} does not exist, but this database uses one. ${HOW}`,
  );
}
