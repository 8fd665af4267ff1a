/** The operator's secret as a file: 32 random bytes in hexadecimal digits, made whole or not at all, for our eyes only. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, StartFailure } from '../core/start-failure.ts';
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
      `The secret file ${file} cannot be read: ${(error as Error).message}. Let this user read it.`,
      error,
    );
  }
  if (/^[0-9a-f]+$/i.test(text) && text.length === SECRET_BYTES * 2) return Buffer.from(text, 'hex');
  throw new StartFailure(
    'secret_unusable',
    `The secret file ${file} does not hold a secret: ${SECRET_BYTES * 2} hexadecimal digits and nothing else. Restore it from a backup, or copy that of another node.`,
  );
}

/** Makes the file unless another process was faster; gives what is in it then, and whether it is of our making. */
export async function makeSecretFile(file: string): Promise<{ secret: Buffer; isOurs: boolean }> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
    // Unlike a rename, a link never takes the place of a file that is there.
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
      `The secret file ${file} cannot be made: ${(error as Error).message}. Set SECRET_FILE to a place that can be written.`,
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
