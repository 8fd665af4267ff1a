/** Handles the rest of a body when the reply is sent before all of it arrived. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalPace } from './refusal-pace.ts';

/** How much is read and dropped, so that a client that is still sending can read the reply. The parser may hold two more chunks of 64 KiB. */
const DRAIN_BYTES = 896 * 1024;
/** Between two chunks, so that the senders of refused bodies wait and not everyone else. */
const PAUSE_MS = 40;
/** How long the client may take to read the reply and disconnect. */
const LINGER_MS = 3_000;

/** To be called before the reply is sent, which continues with `next`. The connection stays usable if what is left is short. */
export function dropUnreadBody(
  { ip, raw }: FastifyRequest,
  reply: FastifyReply,
  pace: RefusalPace,
  next: () => void,
): void {
  const closes = !raw.complete && !isShort(raw);
  if (closes) reply.header('connection', 'close');
  // Fastify closes the connection after a refused body.
  else if (reply.hasHeader('connection')) reply.removeHeader('connection');
  if (!isUnread(raw)) {
    next();
    return;
  }
  const delayMs = pace.delayMs(ip);
  const answer = () => {
    drain(raw);
    if (closes) closeSlowly(raw);
    next();
  };
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
}

function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
}

function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= DRAIN_BYTES;
}

function drain(message: IncomingMessage): void {
  let left = DRAIN_BYTES;
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    message.pause();
    if (left > 0) setTimeout(() => message.resume(), PAUSE_MS).unref();
  });
  message.resume();
}

/** Node.js closes the socket as soon as the reply is written; with input that nobody read, the client would lose the reply. */
function closeSlowly(message: IncomingMessage): void {
  const { socket } = message;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
    message.once('end', () => socket.destroy());
    if (message.readableEnded) socket.destroy();
  };
}
