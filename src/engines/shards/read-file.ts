/** Reads the files of shards, and verifies them before anything in them is believed. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { errorCode } from '../../platform/core/errors/start-failure.ts';

const CHECK_BYTES = 1 << 20;
const CHECKSUM_BYTES = 4;

/** Undefined when a file is missing or `read` finds it damaged or of another version; the files are closed then. */
export function openFiles<Shard>(
  paths: readonly string[],
  read: (files: number[]) => Shard | undefined,
): Shard | undefined {
  const files: number[] = [];
  let shard: Shard | undefined;
  try {
    for (const path of paths) files.push(openSync(path, 'r'));
    shard = read(files);
    return shard;
  } catch (error) {
    // Too many open files doesn't mean that this one is damaged, and an intact shard must not be deleted for it.
    if (['EMFILE', 'ENFILE', 'EACCES', 'EIO'].includes(errorCode(error) ?? '')) throw error;
    return undefined;
  } finally {
    if (!shard) for (const file of files) closeSync(file);
  }
}

/** The first bytes of a file, or all of a shorter one. */
export function readStart(file: number, bytes: number): Buffer {
  return readAt(file, 0, Math.min(bytes, fstatSync(file).size));
}

/** The beginning of a file that ends with a checksum of all before it. Undefined when its length or its checksum is wrong. */
export function readTables(file: number, bytes: number, checksumAt: number): Buffer | undefined {
  if (fstatSync(file).size !== checksumAt + CHECKSUM_BYTES) return undefined;
  const tables = readAt(file, 0, bytes);
  const checksum = checksumOf(file, bytes, checksumAt, crc32(tables));
  return readAt(file, checksumAt, CHECKSUM_BYTES).readUInt32LE(0) === checksum ? tables : undefined;
}

/** Continues a checksum over a range of a file. */
export function checksumOf(file: number, from: number, to: number, before = 0): number {
  const buffer = Buffer.allocUnsafe(Math.min(CHECK_BYTES, Math.max(0, to - from)));
  let checksum = before;
  for (let at = from; at < to; at += CHECK_BYTES) {
    const bytes = Math.min(CHECK_BYTES, to - at);
    readInto(file, buffer, 0, at, bytes);
    checksum = crc32(buffer.subarray(0, bytes), checksum);
  }
  return checksum;
}

/** A separate allocation, so that numbers in it are aligned. */
export function readAt(file: number, from: number, bytes: number): Buffer {
  const target = Buffer.from(new ArrayBuffer(bytes));
  readInto(file, target, 0, from, bytes);
  return target;
}

export function readInto(file: number, target: Buffer, at: number, from: number, bytes: number): void {
  let done = 0;
  while (done < bytes) {
    const read = readSync(file, target, at + done, bytes - done, from + done);
    if (read === 0) throw new Error('A shard is shorter than expected.');
    done += read;
  }
}
