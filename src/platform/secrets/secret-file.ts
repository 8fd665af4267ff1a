/** The file with the operator's secret: 32 random bytes in hexadecimal, created atomically, readable only by this user. */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';
import { makeFolder } from '../core/work/make-folder.ts';
import { SECRET_BYTES } from './seal.ts';

/** The secret in the file; undefined when there is no file. */
export async function readSecretFile(file: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartFailure(
      'secret_unusable',
      `The secret file ${file} cannot be read: ${(error as Error).message}. Give this user permission to read it.`,
      error,
    );
  }
  if (/^[0-9a-f]+$/i.test(text) && text.length === SECRET_BYTES * 2) return Buffer.from(text, 'hex');
  throw new StartFailure(
    'secret_unusable',
    `The secret file ${file} does not contain a secret (${SECRET_BYTES * 2} hexadecimal digits and nothing else). Restore it from a backup, or copy it from another node.`,
  );
}

/** Creates the file unless another process was faster; returns its content and whether we created it. */
export function createSecretFile(file: string): Promise<{ secret: Buffer; isOurs: boolean }> {
  return placeSecretFile(file, randomBytes(SECRET_BYTES));
}

/** Writes the secret unless the file exists; returns the content of the file and whether we wrote it. */
export async function placeSecretFile(
  file: string,
  content: Buffer,
): Promise<{ secret: Buffer; isOurs: boolean }> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await makeFolder(dirname(file));
    await writeDurably(draft, `${content.toString('hex')}\n`);
    // Unlike a rename, a link never replaces an existing file.
    const isOurs = await link(draft, file).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return false;
        throw error;
      },
    );
    await rm(draft);
    await syncFolder(dirname(file));
    return { secret: (await readSecretFile(file))!, isOurs };
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    await rm(draft, { force: true }).catch(() => undefined);
    throw new StartFailure(
      'secret_unusable',
      `The secret file ${file} cannot be created: ${(error as Error).message}. Set SECRET_FILE to a writable location.`,
      error,
    );
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
