/**
 * The file of a backup: a first line, then frames of a kind (one letter), a length (four bytes) and a payload.
 * A header (H), each table as its name (T), compressed rows (D) and counts (E), and the SHA-256 of everything before (Z).
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';

const FIRST_LINE = Buffer.from('countersign backup 1\n');
const HEAD_BYTES = 5;
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

export const BackupHeader = z.object({
  /** The version of the program that made the backup. */
  version: z.string(),
  createdAt: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The secret file, sealed by a passphrase; null when it was left out. */
  secret: z.object({ salt: z.base64(), sealed: z.base64() }).nullable(),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

export const TableEnd = z.object({ rows: z.number().int(), bytes: z.number().int() });
export type TableEnd = z.infer<typeof TableEnd>;

export type FrameKind = 'H' | 'T' | 'D' | 'E';

export interface BackupWriter {
  add(kind: FrameKind, payload: Buffer): Promise<void>;
  addJson(kind: FrameKind, value: unknown): Promise<void>;
  /** Adds the checksum, and returns the size when everything is on the disk. */
  finish(): Promise<number>;
}

export async function createBackupWriter(handle: FileHandle): Promise<BackupWriter> {
  const hash = createHash('sha256');
  let bytes = 0;
  const write = async (...parts: Buffer[]) => {
    for (const part of parts) {
      hash.update(part);
      bytes += part.length;
    }
    await handle.writev(parts);
  };
  const add = (kind: FrameKind, payload: Buffer) => write(headOf(kind, payload.length), payload);
  await write(FIRST_LINE);
  return {
    add,
    addJson: (kind, value) => add(kind, Buffer.from(JSON.stringify(value))),
    async finish() {
      const checksum = hash.digest();
      await handle.writev([headOf('Z', checksum.length), checksum]);
      await handle.sync();
      return bytes + HEAD_BYTES + checksum.length;
    },
  };
}

function headOf(kind: string, length: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(length, 1);
  return head;
}

/** The frames before the checksum. Ends only when the checksum is right and nothing follows it. */
export async function* readFrames(file: string): AsyncGenerator<{ kind: string; payload: Buffer }> {
  const handle = await openToRead(file);
  const hash = createHash('sha256');
  const chunks = createReadStream('', { fd: handle, highWaterMark: READ_BYTES })[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** The next bytes; fewer at the end of the file. */
  const take = async (length: number): Promise<Buffer> => {
    const parts = [rest];
    let have = rest.length;
    while (have < length) {
      const next = await chunks.next();
      if (next.done) break;
      parts.push(next.value);
      have += next.value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(length);
    return all.subarray(0, length);
  };
  try {
    const first = await take(FIRST_LINE.length);
    if (!first.equals(FIRST_LINE)) throw notABackup(file, first);
    hash.update(first);
    for (;;) {
      const head = await take(HEAD_BYTES);
      if (head.length < HEAD_BYTES) throw damaged(file, 'it ends too early');
      const kind = head.toString('latin1', 0, 1);
      const length = head.readUInt32BE(1);
      if (length > MAX_FRAME_BYTES) throw damaged(file, 'a length in it is impossible');
      const payload = await take(length);
      if (payload.length < length) throw damaged(file, 'it ends too early');
      if (kind === 'Z') {
        if (!hash.digest().equals(payload)) throw damaged(file, 'its checksum is wrong');
        if ((await take(1)).length > 0) throw damaged(file, 'something follows its end');
        return;
      }
      hash.update(head).update(payload);
      yield { kind, payload };
    }
  } finally {
    await handle.close().catch(() => undefined);
  }
}

/** Whether it begins as backups do. */
export async function isBackup(file: string): Promise<boolean> {
  const handle = await openToRead(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
    return buffer.equals(FIRST_LINE);
  } finally {
    await handle.close();
  }
}

async function openToRead(file: string): Promise<FileHandle> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    const reason = errorCode(error) === 'ENOENT' ? 'does not exist' : `can't be read: ${errorCode(error)}`;
    throw new StartFailure('refused', `${file} ${reason}`, error);
  });
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new StartFailure('refused', `${file} is a folder`);
}

function notABackup(file: string, first: Buffer): StartFailure {
  const name = FIRST_LINE.subarray(0, -2);
  const reason = first.subarray(0, name.length).equals(name)
    ? 'was made by a newer version of Countersign'
    : 'is not a backup of Countersign';
  return new StartFailure('refused', `${file} ${reason}`);
}

export function damaged(file: string, reason: string): StartFailure {
  return new StartFailure('refused', `${file} is damaged: ${reason}. Use another backup.`);
}
