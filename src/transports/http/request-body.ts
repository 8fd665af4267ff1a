/** Reads a JSON body within the limit, in a way that lets clients see the reply when they sent too much. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '../../platform/core/errors.ts';

/** How much of an over-long body is read and dropped, so that a client still busy sending gets to read the reply. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

export interface JsonBody {
  bytes: Buffer;
  text: string;
  value: unknown;
}

const EMPTY: JsonBody = { bytes: Buffer.alloc(0), text: '', value: undefined };

export async function readJsonBody(message: IncomingMessage, limitBytes: number): Promise<JsonBody> {
  const refusal = refusalOf(message.headers);
  if (refusal) {
    await drain(message);
    throw refusal;
  }
  const bytes = await readBytes(message, limitBytes);
  return bytes.length === 0 ? EMPTY : parseJson(bytes);
}

function refusalOf(headers: IncomingHttpHeaders): Problem | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding && coding !== 'identity') {
    return new Problem(
      'unsupported_media_type',
      `The body was sent with Content-Encoding: ${coding.slice(0, 100)}. Send it uncompressed, with the header Content-Type: application/json.`,
    );
  }
  const mediaType = headers['content-type']?.replace(/;.*$/s, '').trim().toLowerCase();
  if (!mediaType || mediaType === 'application/json' || /^[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json$/.test(mediaType))
    return undefined;
  return unsupportedMediaType(mediaType);
}

export function unsupportedMediaType(mediaType: string): Problem {
  return new Problem(
    'unsupported_media_type',
    `The body was sent as ${mediaType.slice(0, 100) || 'nothing known'}. Send it as JSON, with the header Content-Type: application/json.`,
  );
}

/** The body as it came, within the limit. */
export async function readBytes(message: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = Number(message.headers['content-length'] ?? 0) > limitBytes ? Number.POSITIVE_INFINITY : 0;
  if (size <= limitBytes) {
    try {
      for await (const chunk of keepOpen(message)) {
        size += chunk.length;
        if (size > limitBytes) break;
        chunks.push(chunk);
      }
    } catch (error) {
      throw brokenOff(error);
    }
  }
  if (size > limitBytes) {
    await drain(message);
    throw new Problem(
      'payload_too_large',
      `The body is larger than ${limitBytes.toLocaleString('en-US')} bytes, the limit of this service.`,
    );
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Leaving the loop early must not destroy the message: the reply still has to travel over its connection. */
function keepOpen(message: IncomingMessage): AsyncIterable<Buffer> {
  return message.iterator({ destroyOnReturn: false });
}

/** The client went away or broke off: not a failure of ours, and nobody is left to read the reply. */
function brokenOff(cause: unknown): Problem {
  return new Problem('invalid_request', 'The body ended before it was whole.', {
    errors: [{ path: '', message: 'the body ended before it was whole' }],
    cause,
  });
}

async function drain(message: IncomingMessage): Promise<void> {
  const deadline = AbortSignal.timeout(DRAIN_MS);
  let dropped = 0;
  await new Promise<void>((resolve) => {
    const stop = () => {
      message.off('data', count);
      message.pause();
      resolve();
    };
    const count = (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > DRAIN_BYTES) stop();
    };
    deadline.addEventListener('abort', stop, { once: true });
    message.once('end', stop).once('error', stop).once('close', stop).on('data', count);
    if (message.complete && message.readableEnded) stop();
    message.resume();
  });
}

function parseJson(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (/^[ \t\r\n]*$/.test(text)) return { ...EMPTY, bytes };
  try {
    return { bytes, text, value: JSON.parse(text) };
  } catch (error) {
    throw new Problem('invalid_json', `The body is not valid JSON: ${placeOf(error as Error)}.`, {
      cause: error,
    });
  }
}

/** V8's message without the excerpt of the body, which may hold what must not be repeated. */
function placeOf(error: Error): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return position
    ? `a character at position ${position} does not fit`
    : 'it ends too early or holds a character that does not fit';
}
