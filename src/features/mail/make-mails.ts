/** Creates mails for new inbox items, in the transaction that creates the items. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { EventHandler } from '../events/index.ts';
import { MAX_DIGEST_ITEMS } from './contract.ts';
import {
  addToDigest,
  type ItemToMail,
  insertMails,
  selectItemsOfEvents,
  selectItemsToMail,
} from './mail-store.ts';
import { frequencyOf, nextDigest } from './mail-topics.ts';

export const mailMaker: EventHandler = async (db, events, now) => {
  await mailItems(db, await selectItemsOfEvents(db, events), now);
  return [];
};

/** For items that no event handler made. Each must be new. */
export async function mailInboxItems(db: Db, itemIds: string[], now: Date): Promise<void> {
  if (itemIds.length > 0) await mailItems(db, await selectItemsToMail(db, itemIds), now);
}

async function mailItems(db: Db, items: ItemToMail[], now: Date): Promise<void> {
  const wanted = Map.groupBy(items, ({ frequencies, kind }) => frequencyOf(kind, frequencies));
  await insertMails(db, wanted.get('now') ?? [], now);
  // In a fixed order, so that two workers never wait for each other.
  const digests = Map.groupBy(
    wanted.get('daily') ?? [],
    ({ organizationId, userId }) => organizationId + userId,
  );
  for (const [, some] of [...digests].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { organizationId, userId } = some[0]!;
    const itemIds = some.slice(0, MAX_DIGEST_ITEMS).map(({ id }) => id);
    await addToDigest(db, { id: uuidv7(), organizationId, userId, itemIds, dueAt: nextDigest(now) }, now);
  }
}
