/** Reads webhooks: a few at once, many in a worker thread, so that a storm of them leaves the main thread to other requests. */
import { threadEntry, WorkThread } from '../../platform/core/work-thread.ts';
import { type ReadWebhook, type ReceivedWebhook, readWebhooks } from './read-webhooks.ts';

/** Fewer small ones are read sooner than they could be sent to a thread. */
const MANY = 4;
const MANY_BYTES = 64 * 1024;

export class WebhookWork {
  readonly #thread = new WorkThread(
    threadEntry('webhook-work-thread', import.meta.url),
    'Reading webhooks took too long.',
  );

  /** Only one call at a time: the caller waits for the result before the next. */
  async read(webhooks: ReceivedWebhook[]): Promise<ReadWebhook[]> {
    const bytes = webhooks.reduce((sum, { body }) => sum + body.length, 0);
    if (webhooks.length < MANY && bytes < MANY_BYTES) return readWebhooks(webhooks);
    return (await this.#thread.run({ name: 'readWebhooks', values: [webhooks] })) as ReadWebhook[];
  }
}
