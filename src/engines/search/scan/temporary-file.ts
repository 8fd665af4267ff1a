/** An unlinked temporary file for text to be searched, which disappears when it is closed. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFile {
  write(bytes: Buffer): void;
  /** For reading from the beginning. */
  descriptor: number;
  close(): void;
}

export function openTemporaryFile(): TemporaryFile {
  const path = join(tmpdir(), `countersign-search-${randomBytes(12).toString('hex')}`);
  const writer = openSync(path, 'wx', 0o600);
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    closeSync(writer);
    throw error;
  } finally {
    unlinkSync(path);
  }
  return {
    write(bytes) {
      let at = 0;
      while (at < bytes.length) at += writeSync(writer, bytes, at, bytes.length - at);
    },
    descriptor,
    close() {
      closeSync(writer);
      closeSync(descriptor);
    },
  };
}
