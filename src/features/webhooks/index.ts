/** The public interface of webhooks. */
export { DELIVER_WEBHOOK, type DeliveryServices, deliverWebhook } from './deliver-webhook.ts';
export { deleteOldDeliveries, requeueStranded } from './delivery-store.ts';
export { deliveryMaker } from './make-deliveries.ts';
export { queueDeliveries } from './queue-deliveries.ts';
export { sealPlainSecrets } from './webhook-secret.ts';
