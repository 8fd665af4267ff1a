/** `COPY … TO STDOUT` and `COPY … FROM STDIN` as streams of bytes, on the hooks that the driver has for them. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** The methods for COPY that the driver's connection has and its types leave out. */
interface CopyConnection extends pg.Connection {
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Rows are passed on in pieces of this size. */
const PIECE_BYTES = 256 * 1024;
/** Pieces that may wait for `write` before the server has to wait. */
const MAX_WAITING = 2;

/** Runs a `COPY … TO STDOUT`, passes its bytes to `write` one piece at a time, and returns the number of rows. A piece is `write`'s until it is done. */
export function copyOut(
  client: pg.Client,
  statement: string,
  write: (piece: Buffer) => Promise<void>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  /** Filled again: new memory for each piece would keep the garbage collector busy. */
  const written: Buffer[] = [];
  let piece: Buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  let rows = 0;
  let waiting = 0;
  let writing = Promise.resolve();
  const passOn = ({ stream }: pg.Connection) => {
    const full = piece;
    const used = filled;
    piece = written.pop() ?? Buffer.allocUnsafe(PIECE_BYTES);
    filled = 0;
    waiting += 1;
    if (waiting === MAX_WAITING) stream.pause();
    writing = writing
      .then(() => write(full.subarray(0, used)))
      .then(() => {
        written.push(full);
        waiting -= 1;
        if (waiting < MAX_WAITING) stream.resume();
      });
    // The server would go on sending what nobody takes.
    writing.catch((error: Error) => stream.destroy(error));
  };
  client.query({
    submit: (connection: pg.Connection) => connection.query(statement),
    handleCopyData({ chunk }: { chunk: Buffer }, connection: pg.Connection) {
      // The driver reuses the memory of the chunk.
      for (let from = 0; from < chunk.length; ) {
        const copied = chunk.copy(piece, filled, from);
        from += copied;
        filled += copied;
        if (filled === PIECE_BYTES) passOn(connection);
      }
    },
    handleCommandComplete({ text }: { text: string }, connection: pg.Connection) {
      rows = rowsOf(text);
      if (filled > 0) passOn(connection);
    },
    handleReadyForQuery: () => writing.then(() => resolve(rows), reject),
    handleError: reject,
  });
  return promise;
}

/** Runs a `COPY … FROM STDIN` with the bytes of `pieces`, and returns the number of rows. */
export function copyIn(client: pg.Client, statement: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const over = new AbortController();
  const fail = (error: Error) => {
    over.abort();
    reject(error);
  };
  const send = async (connection: CopyConnection) => {
    for await (const piece of pieces) {
      over.signal.throwIfAborted();
      if (!sendPiece(connection.stream, piece))
        await once(connection.stream, 'drain', { signal: over.signal });
    }
  };
  let rows = 0;
  client.query({
    submit: (connection: pg.Connection) => connection.query(statement),
    handleCopyInResponse(connection: CopyConnection) {
      send(connection).then(
        () => connection.endCopyFrom(),
        (error: Error) => {
          if (over.signal.aborted) return;
          fail(error);
          connection.sendCopyFail('the rows cannot be read');
        },
      );
    },
    handleCommandComplete({ text }: { text: string }) {
      rows = rowsOf(text);
    },
    handleReadyForQuery: () => resolve(rows),
    handleError: fail,
  });
  return promise;
}

/** A CopyData message, without the driver's copy of the piece: memory for it costs more in garbage collection than the rest of sending it. */
function sendPiece(stream: Writable, piece: Buffer): boolean {
  const head = Buffer.alloc(5);
  head.write('d', 'latin1');
  head.writeUInt32BE(4 + piece.length, 1);
  stream.cork();
  stream.write(head);
  const mayContinue = stream.write(piece);
  stream.uncork();
  return mayContinue;
}

/** `COPY 12` → 12. */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)$/.exec(tag)?.[1]);
}
