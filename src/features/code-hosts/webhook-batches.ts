/** Webhooks that arrive together share one query for their hosts and one statement for what they say. */
import type { HostKind, WebhookChange } from '../../engines/code-hosts/index.ts';
import { Batch } from '../../platform/core/batch.ts';
import type { SecretBox } from '../../platform/core/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import { openHostWebhookSecret } from './host-secrets.ts';
import { noteWebhookChanges, selectHostsToVerify, type WebhookNote } from './webhook-store.ts';

export interface WebhookBatches {
  /** What webhooks of a host are checked with; undefined if there is no such host. */
  hostOf(codeHostId: string): Promise<Host | undefined>;
  /** Resolves when it was written, with whether there is now something to do that was not known before. */
  note(codeHostId: string, changes: WebhookChange[]): Promise<boolean>;
}

interface Host {
  kind: HostKind;
  secret: string;
}

/**
 * A storm of webhooks leads to at most 50 statements in a second; a single webhook doesn't wait. One statement at a time, so that two
 * don't wait for each other's rows.
 */
const LIMITS = { queriesAtOnce: 1, keysPerQuery: 500, pauseMs: 20 };
/** How long a host that was read serves the webhooks that follow: a removed one answers for this much longer. */
const REUSED_MS = 100;
const MAX_REUSED = 1000;

/** One per connection pool. */
const batches = new WeakMap<Db, WebhookBatches>();

export function webhookBatchesOf({ db, secrets }: { db: Db; secrets: SecretBox }): WebhookBatches {
  const known = batches.get(db) ?? createBatches(db, secrets);
  batches.set(db, known);
  return known;
}

function createBatches(db: Db, secrets: SecretBox): WebhookBatches {
  const hosts = new Batch(async (codeHostIds: string[]) => {
    const rows = await selectHostsToVerify(db, codeHostIds);
    return new Map(
      rows.map(({ id, kind, webhook_secret: sealed }) => [
        id,
        { kind, secret: openHostWebhookSecret(secrets, id, sealed) },
      ]),
    );
  }, LIMITS);
  // The same note twice is written once.
  const notes = new Batch(async (keys: string[]) => {
    const all = keys.map((key) => JSON.parse(key) as WebhookNote);
    const isNews = await noteWebhookChanges(db, all);
    return new Map(keys.map((key, index) => [key, isNews.has(all[index]!.codeHostId)]));
  }, LIMITS);
  const reused = new Map<string, { host: Host; readAt: number }>();
  return {
    async hostOf(codeHostId) {
      const known = reused.get(codeHostId);
      if (known && performance.now() - known.readAt < REUSED_MS) return known.host;
      const readAt = performance.now();
      const host = await hosts.get(codeHostId);
      if (reused.size === MAX_REUSED) reused.clear();
      if (host) reused.set(codeHostId, { host, readAt });
      else reused.delete(codeHostId);
      return host;
    },
    async note(codeHostId, changes) {
      const written = await Promise.all(
        notesOf(codeHostId, changes).map((note) => notes.get(JSON.stringify(note))),
      );
      return written.includes(true);
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
