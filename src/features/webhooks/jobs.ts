/** Background work of webhooks. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob, deleteOld, type TimedJob } from '../../platform/queue/index.ts';
import type { EventOutbox } from '../events/index.ts';
import { DELIVER_WEBHOOK, type DeliveryServices, deliverWebhook } from './deliver-webhook.ts';
import { deleteOldDeliveries, lockUnqueued, markQueued, requeueStranded } from './delivery-store.ts';

const BATCH = 500;

const deliver = defineJob({
  name: DELIVER_WEBHOOK,
  payload: z.object({ deliveryId: uuid() }),
  maxSeconds: 60,
  due: {
    batch: BATCH,
    claim: (db) => lockUnqueued(db, BATCH),
    mark: (db, rows) =>
      markQueued(
        db,
        rows.map(({ id }) => id),
      ),
    request: ({ id, webhook_id }) => ({ data: { deliveryId: id }, group: webhook_id }),
  },
  run: (services: DeliveryServices, { deliveryId }, signal) => deliverWebhook(services, deliveryId, signal),
});

const handleEvents: TimedJob<DeliveryServices & { outbox: EventOutbox }> = {
  name: 'handle-events',
  everyMs: 5 * SECOND_MS,
  onChange: true,
  async run(db, now, services) {
    await services.outbox.run(db, now);
    // Right after the events that they tell of, rather than at the next change.
    await deliver.queueDue(services);
  },
};

export const webhookJobs = [
  deleteOld('delete-old-webhook-deliveries', 'webhookDeliveries', deleteOldDeliveries),
  { name: 'requeue-stranded-deliveries', everyMs: 15 * MINUTE_MS, run: requeueStranded },
  handleEvents,
  deliver,
];
