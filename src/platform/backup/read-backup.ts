/** Reads a backup table by table, and checks it on the way: nothing of it may be trusted before the end was reached. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { errorCode } from '../core/errors/start-failure.ts';
import type { TableRows } from '../db/index.ts';
import { BackupHeader, damaged, readFrames, TableEnd } from './backup-file.ts';

const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export interface BackupTable extends TableRows {
  pieces: AsyncIterable<Buffer>;
}

export interface BackupTotals {
  header: BackupHeader;
  rows: number;
  /** Uncompressed. */
  bytes: number;
}

type Frames = ReturnType<typeof readFrames>;

/** `visit` consumes the pieces of each table, and may return how many rows it found in them. */
export function readBackup(
  file: string,
  visit: (table: BackupTable) => Promise<number | undefined>,
): Promise<BackupTotals> {
  return readTables(file, async (table, frames) => {
    const found = { rows: 0, bytes: 0 };
    let visited: number | undefined;
    const end = await decompressTable(file, frames, async (pieces) => {
      visited = await visit({ ...table, pieces: counted(pieces, found) });
    });
    if (end.rows !== found.rows || end.rows !== (visited ?? end.rows) || end.bytes !== found.bytes)
      throw damaged(file, `${table.name} does not have as many rows as it should`);
    return end;
  });
}

/** Reads everything, and writes nothing. */
export function verifyBackup(file: string, onTable: (table: TableRows) => void): Promise<BackupTotals> {
  return readBackup(file, async ({ pieces, ...table }) => {
    onTable(table);
    for await (const _ of pieces);
    return undefined;
  });
}

/**
 * Checks that the file is as it was written, without decompressing the rows: the checksum shows every change. Takes a
 * fraction of the time of verifyBackup, and returns the same.
 */
export function checkBackup(file: string, onTable: (table: TableRows) => void): Promise<BackupTotals> {
  return readTables(file, async (table, frames) => {
    onTable(table);
    const rows = rowsOf(file, frames);
    for (;;) {
      const { done, value } = await rows.next();
      if (done) return value;
    }
  });
}

async function readTables(
  file: string,
  read: (table: TableRows, frames: Frames) => Promise<TableEnd>,
): Promise<BackupTotals> {
  const frames = readFrames(file);
  try {
    const header = readJson(file, BackupHeader, await nextFrame(file, frames, 'H'));
    const totals = { header, rows: 0, bytes: 0 };
    for (const table of header.tables) {
      const name = (await nextFrame(file, frames, 'T')).toString();
      if (name !== table.name) throw damaged(file, `it has ${name} in the place of ${table.name}`);
      const end = await read(table, frames);
      totals.rows += end.rows;
      totals.bytes += end.bytes;
    }
    if (!(await frames.next()).done) throw damaged(file, 'it has more tables than it should');
    return totals;
  } finally {
    await frames.return(undefined);
  }
}

/** The compressed rows of one table; returns the counts at its end. */
async function* rowsOf(file: string, frames: Frames): AsyncGenerator<Buffer, TableEnd> {
  for (;;) {
    const { done, value } = await frames.next();
    if (done || (value.kind !== 'D' && value.kind !== 'E'))
      throw damaged(file, 'the end of a table is missing');
    if (value.kind === 'E') return readJson(file, TableEnd, value.payload);
    yield value.payload;
  }
}

async function decompressTable(
  file: string,
  frames: Frames,
  visit: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<TableEnd> {
  let end: TableEnd | undefined;
  const compressed = async function* () {
    end = yield* rowsOf(file, frames);
  };
  let visited = false;
  try {
    const decompressing = createZstdDecompress({ chunkSize: PIECE_BYTES });
    await pipeline(Readable.from(compressed()), decompressing, async (pieces: AsyncIterable<Buffer>) => {
      await visit(pieces);
      visited = true;
    });
  } catch (error) {
    // The rows can also seem to end before the table does: the pipeline is then aborted.
    if (visited || errorCode(error)?.startsWith('Z')) throw damaged(file, 'its rows cannot be decompressed');
    throw error;
  }
  if (!end) throw damaged(file, 'the end of a table is missing');
  return end;
}

/** In COPY's text format, line breaks only occur at the end of a row. */
async function* counted(pieces: AsyncIterable<Buffer>, found: TableEnd): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    found.bytes += piece.length;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) found.rows += 1;
    yield piece;
  }
}

async function nextFrame(file: string, frames: Frames, kind: string): Promise<Buffer> {
  const { done, value } = await frames.next();
  if (done || value.kind !== kind) throw damaged(file, 'a part of it is missing');
  return value.payload;
}

function readJson<Shape extends z.ZodType>(file: string, shape: Shape, payload: Buffer): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(payload.toString()));
  } catch {
    throw damaged(file, 'a part of it cannot be read');
  }
}
