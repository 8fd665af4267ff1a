/** Writes the files of shards: complete and on disk before their names are visible. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Sorted by name, shards are in order of creation. */
export function newShardName(): string {
  return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
}

export function writeSynced(path: string, bytes: Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeWhole(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function writeWhole(file: number, bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at);
}

/** Makes renames in the folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
