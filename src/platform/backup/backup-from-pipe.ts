/** A backup that comes through a pipe is kept in a private file while it is used: it is read twice, the first time to check all of it. */
import { createReadStream, fstatSync } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkFreeSpace, isDiskFull } from '../core/errors/disk-full.ts';
import { StartFailure } from '../core/errors/start-failure.ts';
import { formatSize } from '../core/text/format-size.ts';

export const STANDARD_INPUT = '-';
const CHECK_EVERY_BYTES = 8 * 1024 * 1024;

/** Whether the name stands for standard input, also as `/dev/stdin`. */
export async function isStandardInput(file: string): Promise<boolean> {
  if (file === STANDARD_INPUT) return true;
  const [named, input] = [await stat(file).catch(() => undefined), fstatSync(0)];
  return named?.ino === input.ino && named.dev === input.dev;
}

/** Calls `use` with a file that can be read more than once: the given one, or a copy of what comes through a pipe. */
export async function withBackupFile<Result>(
  file: string,
  signal: AbortSignal,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const found = await stat(file).catch(() => undefined);
  const isInput = file === STANDARD_INPUT || (!found?.isFile() && (await isStandardInput(file)));
  if (!isInput && !found?.isFIFO()) return use(file);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-restore-'));
  const copy = join(folder, 'backup');
  try {
    await copyTo(copy, isInput ? process.stdin : createReadStream(file), signal);
    return await use(copy);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    // The copy is gone when somebody reads this.
    const message = error.message.replaceAll(copy, isInput ? 'standard input' : file);
    throw new StartFailure(error.kind, message, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyTo(copy: string, input: Readable, signal: AbortSignal): Promise<void> {
  const handle = await open(copy, 'wx', 0o600);
  const stop = () => input.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let [bytes, checkedAt] = [0, 0];
  try {
    await checkFreeSpace(tmpdir());
    for await (const chunk of input as AsyncIterable<Buffer>) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
      if (bytes - checkedAt < CHECK_EVERY_BYTES) continue;
      checkedAt = bytes;
      await checkFreeSpace(tmpdir());
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isDiskFull(error)) throw error;
    throw new StartFailure(
      'refused',
      `${tmpdir()} has no room for the backup from the pipe (${formatSize(bytes)} so far). Set TMPDIR to a folder on a larger disk, or restore from a file.`,
      error,
    );
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
  signal.throwIfAborted();
}
