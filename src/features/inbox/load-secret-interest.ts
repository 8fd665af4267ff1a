/** Whom a leaked secret concerns: the author at once, each secret by itself, and admins if it is left for an hour. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { selectAdmins } from './people-store.ts';
import { selectAuthorsOfSecrets } from './pull-request-people-store.ts';

export async function loadSecretInterest(db: Db, events: OutboxEvent[]): Promise<Map<OutboxEvent, string[]>> {
  const found = new Map<OutboxEvent, string[]>();
  const raised = events.filter(
    ({ data, kind }) => kind === 'discussion_opened' && data.finding !== undefined,
  );
  const authors = await selectAuthorsOfSecrets(
    db,
    raised.map(({ data }) => String(data.discussionId)),
  );
  for (const event of raised) {
    const author = authors.get(String(event.data.discussionId));
    if (author !== undefined) found.set(event, [author]);
  }
  const left = events.filter(({ kind }) => kind === 'pull_request_secret_left');
  if (left.length === 0) return found;
  const admins = await selectAdmins(db, [...new Set(left.map(({ organizationId }) => organizationId))]);
  for (const event of left) found.set(event, admins.get(event.organizationId) ?? []);
  return found;
}
