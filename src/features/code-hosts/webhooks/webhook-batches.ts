/**
 * Webhooks that arrive together share one query for their hosts. Those of one host are read together and share one statement for what they
 * say. Hosts take turns, so that what fails or is slow for one host doesn't affect the others.
 */
import {
  type HostKind,
  type ReadWebhook,
  type ReceivedWebhook,
  WebhookWork,
} from '../../../engines/code-hosts/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import { Batch } from '../../../platform/core/work/batch.ts';
import { createFairQueue, NoTurn } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { openHostWebhookSecret } from '../connections/host-secrets.ts';
import { noteWebhookChanges, selectHostsToVerify, type WebhookNote } from './webhook-store.ts';

export interface WebhookBatches {
  /** The host's kind and secret, to verify its webhooks; undefined if there is no such host. */
  hostOf(codeHostId: string): Promise<Host | undefined>;
  /** Resolves when what it says was written. */
  note(webhook: Omit<WebhookOfHost, keyof Host>): Promise<Noted | 'no such host' | 'not signed'>;
  close(): Promise<void>;
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

/** Any number of lookups lead to at most 80 queries in a second; a single one doesn't wait. */
const LOOKUPS = { queriesAtOnce: 1, keysPerQuery: 1000, pauseMs: 12 };
/** The same for the statements of one host. One at a time, so that two don't wait for each other's rows. */
const STATEMENTS = { queriesAtOnce: 1, keysPerQuery: 50, pauseMs: 12 };
/** Limits across all hosts: a few connections are enough, and the rest is for other requests. A host waits for its turn. */
const TURNS = { maxRunning: 4, maxRunningPerCredential: 1, maxWaiting: 10_000, maxWaitingPerCredential: 1 };
const MAX_WAIT_MS = 10_000;
/** A storm has a few dozen webhooks waiting. How many bytes wait is limited where bodies are received. */
const MAX_WAITING_OF_HOST = 2000;
/** How long a host that was read serves the webhooks that follow: a removed one or an old secret is accepted for this much longer. */
const REUSED_MS = 100;
/** Cached hosts, max. */
const MAX_HOSTS = 1000;

/** The webhooks of one host that are being received. */
interface Waiting {
  notes: Batch<WebhookOfHost, Noted>;
  webhooks: number;
}

export function createWebhookBatches({ db, secrets }: { db: Db; secrets: SecretBox }): WebhookBatches {
  const hosts = new Batch(async (codeHostIds: string[]) => {
    const rows = await selectHostsToVerify(db, codeHostIds);
    return new Map(
      rows.map(({ id, kind, webhook_secret: sealed }) => [
        id,
        { kind, openSecret: () => openHostWebhookSecret(secrets, id, sealed) },
      ]),
    );
  }, LOOKUPS);
  const work = new WebhookWork();
  const turns = createFairQueue(TURNS);
  const newBatch = (codeHostId: string) =>
    new Batch(async (webhooks: WebhookOfHost[]) => {
      const read = await work.read(webhooks);
      // The same note twice is written once.
      const notes = new Map(
        read.flatMap((changes) => notesOf(codeHostId, changes)).map((note) => [JSON.stringify(note), note]),
      );
      const isNews =
        notes.size > 0 &&
        (await inTurn(codeHostId, () => noteWebhookChanges(db, [...notes.values()]))).size > 0;
      return new Map(webhooks.flatMap((webhook, index) => (read[index] ? [[webhook, { isNews }]] : [])));
    }, STATEMENTS);

  async function inTurn<Result>(codeHostId: string, run: () => Promise<Result>): Promise<Result> {
    const caller = { organizationId: codeHostId, userId: codeHostId, credentialId: codeHostId };
    const endTurn = await turns
      .enter({ caller, signal: new AbortController().signal }, MAX_WAIT_MS)
      .catch((error: unknown) => {
        throw error instanceof NoTurn ? error.toProblem('webhooks') : error;
      });
    try {
      return await run();
    } finally {
      endTurn();
    }
  }

  const waiting = new Map<string, Waiting>();
  function waitingOf(codeHostId: string): Waiting {
    const known = waiting.get(codeHostId);
    if (known) return known;
    if (waiting.size >= MAX_HOSTS)
      for (const [id, { webhooks }] of waiting) if (webhooks === 0) waiting.delete(id);
    const created = { notes: newBatch(codeHostId), webhooks: 0 };
    waiting.set(codeHostId, created);
    return created;
  }

  const reused = new Map<string, { host: Host; readAt: number }>();
  function reusedHost(codeHostId: string): Host | undefined {
    const known = reused.get(codeHostId);
    return known && performance.now() - known.readAt < REUSED_MS ? known.host : undefined;
  }

  async function readHost(codeHostId: string): Promise<Host | undefined> {
    const readAt = performance.now();
    const found = await hosts.get(codeHostId);
    if (reused.size === MAX_HOSTS) reused.clear();
    reused.delete(codeHostId);
    if (!found) return undefined;
    const host = { kind: found.kind, secret: found.openSecret() };
    reused.set(codeHostId, { host, readAt });
    return host;
  }

  async function noteOf(webhook: WebhookOfHost): Promise<Noted | undefined> {
    const of = waitingOf(webhook.codeHostId);
    if (of.webhooks >= MAX_WAITING_OF_HOST)
      throw new Problem('unavailable', 'Too many webhooks are waiting on this node.', {
        retryAfterSeconds: 5,
      });
    of.webhooks += 1;
    try {
      return await of.notes.get(webhook);
    } finally {
      of.webhooks -= 1;
    }
  }

  return {
    close: () => work.close(),
    hostOf: async (codeHostId) => reusedHost(codeHostId) ?? readHost(codeHostId),
    async note(webhook) {
      const known = reusedHost(webhook.codeHostId);
      const host = known ?? (await readHost(webhook.codeHostId));
      const noted = host && (await noteOf({ ...webhook, ...host }));
      if (noted || !known) return noted ?? (host ? 'not signed' : 'no such host');
      // The secret may be a new one.
      const now = await readHost(webhook.codeHostId);
      if (!now) return 'no such host';
      if (now.secret === known.secret) return 'not signed';
      return (await noteOf({ ...webhook, ...now })) ?? 'not signed';
    },
  };
}

function notesOf(codeHostId: string, changes: ReadWebhook): WebhookNote[] {
  if (!changes) return [];
  const nothing = { codeHostId, hostRepositoryId: null, fullName: null, number: null, commit: null };
  if (changes.length === 0) return [{ ...nothing, kind: 'none' }];
  return changes.map((change) => {
    const repository = change.kind === 'repositories' ? null : change.repository;
    return {
      ...nothing,
      kind: change.kind,
      hostRepositoryId: repository?.id ?? null,
      fullName: repository?.fullName ?? null,
      number: change.kind === 'pull_request' ? change.number : null,
      commit: change.kind === 'statuses' ? change.commit : null,
    };
  });
}
