/** Webhooks that arrive together share one query for their hosts, are read together, and share one statement for what they say. */
import {
  type HostKind,
  type ReadWebhook,
  type ReceivedWebhook,
  WebhookWork,
} from '../../engines/code-hosts/index.ts';
import { Batch } from '../../platform/core/batch.ts';
import type { SecretBox } from '../../platform/core/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import { openHostWebhookSecret } from './host-secrets.ts';
import { noteWebhookChanges, selectHostsToVerify, type WebhookNote } from './webhook-store.ts';

export interface WebhookBatches {
  /** What webhooks of a host are checked with; undefined if there is no such host. */
  hostOf(codeHostId: string): Promise<Host | undefined>;
  /** Resolves when what it says was written; undefined if its signature is not valid. */
  note(webhook: WebhookOfHost): Promise<Noted | undefined>;
}

interface WebhookOfHost extends ReceivedWebhook {
  codeHostId: string;
}

interface Noted {
  /** Whether there is now something to do that was not known before. */
  isNews: boolean;
}

interface Host {
  kind: HostKind;
  secret: string;
}

/**
 * A storm of webhooks leads to at most 80 statements in a second; a single webhook doesn't wait. One statement at a time, so that two
 * don't wait for each other's rows.
 */
const LIMITS = { queriesAtOnce: 1, keysPerQuery: 50, pauseMs: 12 };
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
  const work = new WebhookWork();
  const notes = new Batch(async (webhooks: WebhookOfHost[]) => {
    const read = await work.read(webhooks);
    // The same note twice is written once.
    const all = new Map<string, WebhookNote>();
    webhooks.forEach(({ codeHostId }, index) => {
      for (const note of notesOf(codeHostId, read[index]!)) all.set(JSON.stringify(note), note);
    });
    const news = all.size > 0 ? await noteWebhookChanges(db, [...all.values()]) : new Set<string>();
    return new Map(
      webhooks.flatMap((webhook, index) =>
        read[index] ? [[webhook, { isNews: news.has(webhook.codeHostId) }]] : [],
      ),
    );
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
    note: (webhook) => notes.get(webhook),
  };
}

function notesOf(codeHostId: string, changes: ReadWebhook): WebhookNote[] {
  if (!changes) return [];
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
