/** Writes a backup of a running service: one snapshot of every table, compressed, to a file that appears only when it is complete. */
import { rmSync } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';
import { packageVersion } from '../core/text/package-version.ts';
import { type Connection, type Snapshot, type TableRows, withSnapshot } from '../db/index.ts';
import type { SealedSecret } from '../secrets/index.ts';
import { type BackupHeader, type BackupWriter, createBackupWriter } from './backup-file.ts';

/** The fastest level measured that is not clearly larger. See docs/decisions/backup.md. */
const LEVEL = 3;
const FRAME_BYTES = 256 * 1024;

export interface BackupProgress {
  /** 0 to 100. */
  percent: number;
  tables: number;
  totalTables: number;
  /** Uncompressed. */
  bytes: number;
}

export interface BackupResult {
  tables: number;
  rows: number;
  /** Size of the file. */
  bytes: number;
}

export async function writeBackup(options: {
  connection: Connection;
  file: string;
  /** Null leaves it out. */
  secret: SealedSecret | null;
  signal: AbortSignal;
  onProgress?(progress: BackupProgress): void;
}): Promise<BackupResult> {
  const { connection, file, onProgress = () => undefined, secret, signal } = options;
  if (await lstat(file).catch(() => undefined))
    throw new StartFailure('refused', `${file} already exists. Choose another name, or delete it first.`);
  const partial = `${file}.partial`;
  const handle = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    throw cannotWrite(file, error);
  });
  // At once: a command that is stopped exits before what it runs has noticed.
  const remove = () => rmSync(partial, { force: true });
  signal?.addEventListener('abort', remove, { once: true });
  try {
    const writer = await createBackupWriter(handle);
    const result = await withSnapshot(connection, async (snapshot) => {
      if (snapshot.migrations.length === 0)
        throw new StartFailure(
          'refused',
          'the database has no tables of Countersign: there is nothing to back up',
        );
      await writer.addJson('H', headerOf(snapshot, secret));
      return writeTables(snapshot, writer, { onProgress, signal });
    });
    const bytes = await writer.finish();
    await handle.close();
    await rename(partial, file);
    await syncFolder(dirname(file));
    return { ...result, bytes };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw isFileError(error) ? cannotWrite(file, error) : error;
  } finally {
    signal?.removeEventListener('abort', remove);
  }
}

function headerOf({ migrations, server, tables }: Snapshot, secret: SealedSecret | null): BackupHeader {
  return {
    version: packageVersion(),
    createdAt: new Date().toISOString(),
    postgres: server,
    migrations,
    tables: tables.map(({ columns, name }) => ({ name, columns })),
    secret,
  };
}

async function writeTables(
  snapshot: Snapshot,
  writer: BackupWriter,
  { onProgress, signal }: { onProgress(progress: BackupProgress): void; signal: AbortSignal },
): Promise<Omit<BackupResult, 'bytes'>> {
  const { tables } = snapshot;
  const total = tables.reduce((sum, { diskBytes }) => sum + diskBytes, 1);
  let done = 0;
  let rows = 0;
  let bytes = 0;
  for (const [index, table] of tables.entries()) {
    const before = bytes;
    const report = (copied: number) => {
      bytes = before + copied;
      const percent = Math.floor((100 * (done + Math.min(copied, table.diskBytes))) / total);
      onProgress({ percent, tables: index, totalTables: tables.length, bytes });
    };
    rows += await writeTable(snapshot, table, writer, { report, signal });
    done += table.diskBytes;
  }
  onProgress({ percent: 100, tables: tables.length, totalTables: tables.length, bytes });
  return { tables: tables.length, rows };
}

async function writeTable(
  snapshot: Snapshot,
  table: TableRows,
  writer: BackupWriter,
  { report, signal }: { report(bytes: number): void; signal: AbortSignal },
): Promise<number> {
  await writer.add('T', Buffer.from(table.name));
  const compress = createZstdCompress({
    chunkSize: FRAME_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  const writing = pipeline(compress, async (compressed: AsyncIterable<Buffer>) => {
    for await (const piece of compressed) await writer.add('D', piece);
  });
  // Reported by the next write, or at the end.
  writing.catch(() => undefined);
  let bytes = 0;
  const rows = await snapshot.copy(table, async (piece) => {
    signal.throwIfAborted();
    bytes += piece.length;
    report(bytes);
    await new Promise<void>((resolve, reject) =>
      compress.write(piece, (error) => (error ? reject(error) : resolve())),
    );
  });
  compress.end();
  await writing;
  await writer.addJson('E', { rows, bytes });
  return rows;
}

function isFileError(error: unknown): boolean {
  const { syscall } = (error ?? {}) as { syscall?: string };
  return syscall !== undefined && ['open', 'write', 'writev', 'fsync', 'rename', 'close'].includes(syscall);
}

function cannotWrite(file: string, error: unknown): StartFailure {
  const reason =
    errorCode(error) === 'EEXIST'
      ? `another backup is writing it (${file}.partial exists; delete that file if none is running)`
      : (error as Error).message;
  return new StartFailure('refused', `${file} can't be written: ${reason}`, error);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
