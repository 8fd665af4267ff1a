/**
 * Tells work that is under way when nobody waits for it any more. One pair of signals a reply, however often it is asked for;
 * signals made of others (`AbortSignal.any`) would be kept for ever by Node.js where they never fire.
 */
import type { FastifyReply } from 'fastify';

export interface Disconnect {
  /** The connection was cut off before the reply had left: whatever is written now, nobody reads. */
  cutOff: AbortSignal;
  /** The connection is closed, with or without a reply, or the service stops: whatever waits for long ends, and can still answer. */
  gone: AbortSignal;
}

export type DisconnectOf = (reply: FastifyReply) => Disconnect;

export function createDisconnects(stopping: AbortSignal): DisconnectOf {
  const known = new WeakMap<object, Disconnect>();
  const open = new Set<AbortController>();
  stopping.addEventListener('abort', () => {
    for (const gone of open) gone.abort();
  });
  return ({ raw }) => {
    const earlier = known.get(raw);
    if (earlier) return earlier;
    const [cutOff, gone] = [new AbortController(), new AbortController()];
    const disconnect = { cutOff: cutOff.signal, gone: gone.signal };
    known.set(raw, disconnect);
    const end = () => {
      open.delete(gone);
      if (!raw.writableFinished) cutOff.abort();
      gone.abort();
    };
    // The client may have left before anybody asked, and `close` is emitted only once.
    if (raw.destroyed) end();
    else {
      open.add(gone);
      raw.once('close', end);
      if (stopping.aborted) gone.abort();
    }
    return disconnect;
  };
}
