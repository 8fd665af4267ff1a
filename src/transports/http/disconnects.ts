/**
 * Signals running work that its client has disconnected. Each reply has one pair of signals; combined signals
 * (`AbortSignal.any`) that never fire would be kept in memory by Node.js.
 */
import type { FastifyReply } from 'fastify';

export interface Disconnect {
  /** The connection closed before the reply was sent: nobody reads what is written now. */
  cutOff: AbortSignal;
  /** The connection closed, with or without a reply, or the service is stopping: long waits end, and can still reply. */
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
    // The client may have disconnected already, and `close` is emitted only once.
    if (raw.destroyed) end();
    else {
      open.add(gone);
      raw.once('close', end);
      if (stopping.aborted) gone.abort();
    }
    return disconnect;
  };
}
