/** Who is notified about a code host: the admins of its organization. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { selectAdmins } from './people-store.ts';
import type { Interest } from './recipients.ts';

export async function loadCodeHostInterest(
  db: Db,
  events: OutboxEvent[],
): Promise<Map<OutboxEvent, Interest[]>> {
  const admins = await selectAdmins(db, [...new Set(events.map(({ organizationId }) => organizationId))]);
  return new Map(
    events.map((event) => [
      event,
      (admins.get(event.organizationId) ?? []).map((userId): Interest => [userId, 'credential_refused']),
    ]),
  );
}
