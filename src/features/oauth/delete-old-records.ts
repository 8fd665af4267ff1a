/** The background job that deletes expired records, including unused registrations. */
import type { Db } from '../../platform/db/index.ts';
import { KEPT_AFTER_EXPIRY_MS } from './lifetimes.ts';
import { deleteRecordsExpiredBefore } from './record-store.ts';

export function deleteOldRecords(db: Db, now: Date): Promise<void> {
  return deleteRecordsExpiredBefore(db, new Date(now.getTime() - KEPT_AFTER_EXPIRY_MS));
}
