/** What happens to the rest of a body when the reply is sent before all of it arrived. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How much is read and dropped, so that a client that is still sending can read the reply. The parser may hold two more chunks of 64 KiB. */
const DRAIN_BYTES = 896 * 1024;
/** How long the client may take to read the reply and disconnect. */
const LINGER_MS = 2_000;

/** To be called before the reply is sent. The connection stays usable if what is left is short. */
export function dropUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || isShort(raw)) {
    // Fastify closes the connection after a refused body.
    if (reply.hasHeader('connection')) reply.removeHeader('connection');
    if (!raw.complete) raw.resume();
    return;
  }
  reply.header('connection', 'close');
  let left = DRAIN_BYTES;
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) raw.pause();
  });
  raw.resume();
  closeSlowly(raw);
}

function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= DRAIN_BYTES;
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
