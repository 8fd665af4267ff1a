/** Reads a JSON body up to the limit. What is wrong with its headers is refused before any of it is read. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '../../platform/core/errors/errors.ts';
import { type IncomingBody, LARGE_BODY_BYTES } from './bytes-in-flight.ts';
import { parseJson, type ReadJson } from './parse-json.ts';

export interface JsonBody {
  bytes: Buffer;
  text: string;
  value: unknown;
  /** The source text of the fields that are kept as sent, instead of `text`, if the body was large. */
  sources?: Record<string, string>;
}

const EMPTY: JsonBody = { bytes: Buffer.alloc(0), text: '', value: undefined };

export async function readJsonBody(
  message: IncomingMessage,
  limitBytes: number,
  incoming: IncomingBody,
  parseLarge?: (bytes: Buffer) => Promise<ReadJson>,
): Promise<JsonBody> {
  refuseMediaType(message.headers);
  const bytes = await readBytes(message, limitBytes, incoming);
  if (bytes.length === 0) return EMPTY;
  if (parseLarge && bytes.length > LARGE_BODY_BYTES) return { bytes, text: '', ...(await parseLarge(bytes)) };
  return { bytes, ...parseJson(bytes) };
}

/** A signed body is read as it is: its sender is known only when the signature was checked. */
export async function readSignedBody(
  message: IncomingMessage,
  limitBytes: number,
  incoming: IncomingBody,
): Promise<JsonBody> {
  return { ...EMPTY, bytes: await readBytes(message, limitBytes, incoming) };
}

function refuseMediaType(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding && coding !== 'identity') {
    throw new Problem(
      'unsupported_media_type',
      `The body was sent with Content-Encoding: ${coding.slice(0, 100)}. Send it uncompressed, with the header Content-Type: application/json.`,
    );
  }
  const mediaType = headers['content-type']?.replace(/;.*$/s, '').trim().toLowerCase();
  if (!mediaType || mediaType === 'application/json' || /^[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json$/.test(mediaType))
    return;
  throw unsupportedMediaType(mediaType);
}

export function unsupportedMediaType(mediaType: string): Problem {
  return new Problem(
    'unsupported_media_type',
    `The content type ${JSON.stringify(mediaType.slice(0, 100))} is not supported. Send JSON with the header Content-Type: application/json.`,
  );
}

/** The raw body, up to the limit. */
export async function readBytes(
  message: IncomingMessage,
  limitBytes: number,
  incoming: IncomingBody,
): Promise<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const isLarge = declared > LARGE_BODY_BYTES;
  if (isLarge) incoming.hold(declared, true);
  incoming.begin();
  return collect(message, limitBytes, isLarge ? undefined : incoming);
}

function tooLarge(limitBytes: number): Problem {
  return new Problem(
    'payload_too_large',
    `The body is larger than ${limitBytes.toLocaleString('en-US')} bytes, the limit of this service.`,
  );
}

/** With listeners, because iterating a stream takes longer. What was not held beforehand is held as it arrives. */
function collect(
  message: IncomingMessage,
  limitBytes: number,
  incoming: IncomingBody | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > limitBytes) throw tooLarge(limitBytes);
        incoming?.hold(chunk.length, size > LARGE_BODY_BYTES);
      } catch (error) {
        message.pause();
        finish();
        reject(error);
      }
    };
    const onEnd = () => {
      finish();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const onBroken = (error?: Error) => {
      finish();
      reject(incompleteBody(error));
    };
    const finish = () =>
      message.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    message.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (message.readableEnded) onEnd();
    else if (message.destroyed) onBroken();
  });
}

/** The client disconnected while sending: not a server error. */
function incompleteBody(cause: unknown): Problem {
  return new Problem('invalid_request', 'The body is incomplete.', {
    errors: [{ path: '', message: 'the body is incomplete' }],
    cause,
  });
}
