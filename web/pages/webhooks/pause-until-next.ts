/** How soon to refetch deliveries: often while an attempt is due, less often otherwise. */
import type { Delivery } from './delivery-state.tsx';

const OFTEN_MS = 2_000;
const SELDOM_MS = 5_000;
const SOON_MS = 30_000;

export function pauseUntilNext(deliveries: Pick<Delivery, 'state' | 'nextAttemptAt'>[]): number {
  const soon = deliveries.some(
    ({ nextAttemptAt, state }) =>
      state === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < SOON_MS),
  );
  return soon ? OFTEN_MS : SELDOM_MS;
}
