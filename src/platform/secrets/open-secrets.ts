/** Opens the operator's secret at a start, and makes sure that it is the one this database was sealed with. */
import { rm } from 'node:fs/promises';
import type { SecretBox } from '../core/secret-box.ts';
import { StartFailure } from '../core/start-failure.ts';
import type { Db } from '../db/index.ts';
import { claimFingerprint, selectFingerprint } from './fingerprint-store.ts';
import { createSecretBox, fingerprintOf } from './seal.ts';
import { makeSecretFile, readSecretFile } from './secret-file.ts';

/**
 * The first node of an empty database makes the secret; every other one must have a copy of it. A secret is never made
 * where the database knows of one already: everything sealed would be lost without anybody noticing.
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
  const { isOurs, secret } = await makeSecretFile(file);
  if (!fingerprintOf(secret).equals(await claimFingerprint(db, fingerprintOf(secret)))) {
    // Another node came first. What was made a moment ago has sealed nothing, and would only be in the way.
    if (isOurs) await rm(file, { force: true });
    throw missingSecret(file);
  }
  return createSecretBox(secret);
}

const HOW =
  'Copy the secret file of a node that works with this database (its SECRET_FILE, by default secret.key in its data folder) to this place, or restore it from a backup. Without it the credentials of repositories and the secrets of webhooks cannot be read.';

function otherSecret(file: string): StartFailure {
  return new StartFailure(
    'secret_unusable',
    `The secret in ${file} is not the one that this database was sealed with. ${HOW}`,
  );
}

function missingSecret(file: string): StartFailure {
  return new StartFailure(
    'secret_unusable',
    `There is no secret file ${file}, but this database was sealed with one. ${HOW}`,
  );
}
