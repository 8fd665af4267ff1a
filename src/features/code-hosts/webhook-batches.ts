/** Webhooks that arrive together share one query for their hosts and one statement for what they say. */
import type { WebhookChange } from '../../engines/code-hosts/index.ts';
import { Batch } from '../../platform/core/batch.ts';
import type { Db } from '../../platform/db/index.ts';
import {
  type HostToVerify,
  noteWebhookChanges,
  selectHostsToVerify,
  type WebhookNote,
} from './webhook-store.ts';

export interface WebhookBatches {
  hostOf(codeHostId: string): Promise<HostToVerify | undefined>;
  /** Resolves when it was written. */
  note(codeHostId: string, changes: WebhookChange[]): Promise<void>;
}

/** One per connection pool. */
const batches = new WeakMap<Db, WebhookBatches>();

export function webhookBatchesOf(db: Db): WebhookBatches {
  const known = batches.get(db) ?? createBatches(db);
  batches.set(db, known);
  return known;
}

function createBatches(db: Db): WebhookBatches {
  const hosts = new Batch((codeHostIds: string[]) => selectHostsToVerify(db, codeHostIds));
  // One statement at a time, so that two don't wait for each other's rows. The same note twice is written once.
  const notes = new Batch(
    async (keys: string[]) => {
      await noteWebhookChanges(
        db,
        keys.map((key) => JSON.parse(key) as WebhookNote),
      );
      return new Map<string, void>();
    },
    { queriesAtOnce: 1, keysPerQuery: 500 },
  );
  return {
    hostOf: (codeHostId) => hosts.get(codeHostId),
    async note(codeHostId, changes) {
      await Promise.all(notesOf(codeHostId, changes).map((note) => notes.get(JSON.stringify(note))));
    },
  };
}

function notesOf(codeHostId: string, changes: WebhookChange[]): WebhookNote[] {
  const nothing = { codeHostId, hostRepositoryId: null, fullName: null, number: null };
  if (changes.length === 0) return [{ ...nothing, kind: 'none' }];
  return changes.map((change) => {
    const repository = change.kind === 'repositories' ? null : change.repository;
    return {
      ...nothing,
      kind: change.kind,
      hostRepositoryId: repository?.id ?? null,
      fullName: repository?.fullName ?? null,
      number: change.kind === 'pull_request' ? change.number : null,
    };
  });
}
