/** Raw HTTP over a socket, for requests that no well-behaved client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at replies as a client without types does.
  json(): any;
}

export interface RawConnection {
  socket: Socket;
  /** Resolves when the bytes have been sent, or when the other side no longer accepts any. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** The next reply on this connection; replies with status 100 are skipped. */
  answer(): Promise<RawAnswer>;
  /** Resolves when the other side has closed the connection. */
  closed: Promise<void>;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      wake();
      resolve();
    };
    socket.once('end', end).once('close', end).once('error', end);
  });

  return {
    socket,
    closed,
    async write(bytes) {
      if (ended) return;
      const taken = new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
      await Promise.race([taken, closed]);
    },
    async answer() {
      for (;;) {
        const parsed = parseAnswer(received, ended);
        if (parsed) {
          received = received.subarray(parsed.length);
          if (parsed.answer.status !== 100) return parsed.answer;
          continue;
        }
        if (ended) throw new Error(`The connection ended without a whole reply: ${received.toString()}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Sends the bytes over a new connection and returns the reply. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await openRaw(url);
  try {
    await connection.write(bytes);
    return await connection.answer();
  } finally {
    connection.socket.destroy();
  }
}

/** A request as text; Content-Length is added unless the headers determine the framing. */
export function rawRequest(line: string, headers: Record<string, string> = {}, body = ''): string {
  const travels = Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = {
    Host: 'localhost',
    ...headers,
    ...(body && !travels && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function parseAnswer(bytes: Buffer, ended: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...headerLines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + 4;
  const status = Number(statusLine!.split(' ')[1]);
  const length = status === 100 || status === 204 || status === 304 ? 0 : Number(headers['content-length']);
  const end = Number.isNaN(length) ? bytes.length : start + length;
  if (Number.isNaN(length) ? !ended : bytes.length < end) return undefined;
  const body = bytes.subarray(start, end).toString('utf8');
  return { answer: { status, headers, body, json: () => JSON.parse(body) }, length: end };
}
