/** How many plans one key or session may follow at once on a node: each open one costs memory and looks again at times. */
import { Problem } from '../../platform/core/errors.ts';

const MAX_OPEN = 100;

const open = new Map<string, number>();

/** Takes a place and gives the way to leave it; too many are told to wait. */
export function openWatch(credentialId: string): () => void {
  const count = (open.get(credentialId) ?? 0) + 1;
  if (count > MAX_OPEN) {
    throw new Problem('rate_limited', `At most ${MAX_OPEN} plans can be followed at once.`, {
      retryAfterSeconds: 10,
    });
  }
  open.set(credentialId, count);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const rest = open.get(credentialId)! - 1;
    if (rest > 0) open.set(credentialId, rest);
    else open.delete(credentialId);
  };
}
