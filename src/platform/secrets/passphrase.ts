/** Seals the operator's secret by a passphrase, to be kept in a backup: scrypt makes the key of AES-256-GCM. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartFailure } from '../core/errors/start-failure.ts';
import { MIN_PASSPHRASE_CHARACTERS } from '../core/ports/secret-box.ts';

/** In base64. */
export interface SealedSecret {
  salt: string;
  sealed: string;
}

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = Buffer.from('countersign backup secret 1');
/** 128 MiB of memory and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 };

/** From the settings; undefined when there is none. */
export async function readPassphrase(setting: {
  text: string | undefined;
  file: string | undefined;
}): Promise<string | undefined> {
  if (setting.text !== undefined || setting.file === undefined) return setting.text;
  try {
    return (await readFile(setting.file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartFailure(
      'refused',
      `the passphrase file can't be read: ${(error as Error).message}`,
      error,
    );
  }
}

export async function sealWithPassphrase(secret: Buffer, passphrase: string): Promise<SealedSecret> {
  if ([...passphrase].length < MIN_PASSPHRASE_CHARACTERS)
    throw new StartFailure(
      'refused',
      `the passphrase must have at least ${MIN_PASSPHRASE_CHARACTERS} characters`,
    );
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(PURPOSE);
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return {
    salt: salt.toString('base64'),
    sealed: Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64'),
  };
}

export async function openWithPassphrase(secret: SealedSecret, passphrase: string): Promise<Buffer> {
  const bytes = Buffer.from(secret.sealed, 'base64');
  const key = await deriveKey(passphrase, Buffer.from(secret.salt, 'base64'));
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(PURPOSE);
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new StartFailure('refused', 'the passphrase is not the one that this backup was made with', error);
  }
}

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
