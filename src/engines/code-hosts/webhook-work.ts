/** Reads webhooks: a few directly, many in a worker thread, so that a storm of them leaves the main thread to other requests. */
import { Problem } from '../../platform/core/errors/errors.ts';
import { threadEntry, WorkThread } from '../../platform/core/work/work-thread.ts';
import { type ReadWebhook, type ReceivedWebhook, readWebhooks } from './read-webhooks.ts';

/** Fewer small ones are read sooner than they could be sent to a thread. */
const MANY = 4;
const MANY_BYTES = 64 * 1024;

/** Read in one turn, which takes a few milliseconds unless a body is made to be slow. */
const BYTES_PER_TURN = 1024 * 1024;

export class WebhookWork {
  readonly #thread = new WorkThread(
    threadEntry('webhook-work-thread', import.meta.url),
    'Reading webhooks took too long.',
  );
  #lastTurn: Promise<unknown> = Promise.resolve();

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** In the same order. Concurrent calls take turns. */
  async read(webhooks: ReceivedWebhook[]): Promise<ReadWebhook[]> {
    const read: ReadWebhook[] = [];
    for (const part of partsOf(webhooks)) read.push(...(await this.#readPart(part)));
    return read;
  }

  async #readPart(webhooks: ReceivedWebhook[]): Promise<ReadWebhook[]> {
    if (webhooks.length < MANY && bytesOf(webhooks) < MANY_BYTES) return readWebhooks(webhooks);
    const turn = this.#lastTurn.then(() => this.#readInThread(webhooks));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #readInThread(webhooks: ReceivedWebhook[]): Promise<ReadWebhook[]> {
    const run = () => this.#thread.run({ name: 'readWebhooks', values: [webhooks] });
    const read = await run().catch((error: unknown) => {
      // If the thread ended, a new one reads them again. What took too long would take as long again.
      if (error instanceof Problem) throw error;
      return run();
    });
    return read as ReadWebhook[];
  }
}

const bytesOf = (webhooks: ReceivedWebhook[]) => webhooks.reduce((sum, { body }) => sum + body.length, 0);

function partsOf(webhooks: ReceivedWebhook[]): ReceivedWebhook[][] {
  const parts: ReceivedWebhook[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const webhook of webhooks) {
    bytes += webhook.body.length;
    if (bytes > BYTES_PER_TURN) {
      parts.push([]);
      bytes = webhook.body.length;
    }
    parts.at(-1)!.push(webhook);
  }
  return parts;
}
