/** Writes an export into a file that doesn't exist yet and that only its owner can read: whole, or not at all. */
import { lstat, open, rename, rm } from 'node:fs/promises';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { printable } from './printable.ts';

/** Returns what the generator returns. */
export async function writeNewFile<Result>(
  file: string,
  stopped: AbortSignal,
  pieces: () => AsyncGenerator<string, Result>,
): Promise<Result> {
  if (await lstat(file).catch(() => undefined)) {
    throw new StartFailure(
      'refused',
      `${printable(file)} already exists. Choose another name, or delete it first.`,
    );
  }
  const partial = `${file}.partial`;
  const handle = await open(partial, 'wx', 0o600).catch((error: Error) => {
    throw new StartFailure('refused', `cannot write ${printable(file)}: ${printable(error.message)}`);
  });
  try {
    const written = pieces();
    let next = await written.next();
    for (; !next.done; next = await written.next()) {
      stopped.throwIfAborted();
      await handle.writeFile(next.value);
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return next.value;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}
