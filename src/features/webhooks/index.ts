/** The webhooks' door. */
export { changeWebhook } from './change-webhook.ts';
export { createWebhook } from './create-webhook.ts';
export { deleteWebhook } from './delete-webhook.ts';
export { DELIVER_WEBHOOK, type DeliveryServices, deliverWebhook } from './deliver-webhook.ts';
export { deleteOldDeliveries, requeueStranded } from './delivery-store.ts';
export { getWebhookDelivery } from './get-webhook-delivery.ts';
export { listWebhookDeliveries } from './list-webhook-deliveries.ts';
export { listWebhooks } from './list-webhooks.ts';
export { deliveryMaker } from './make-deliveries.ts';
export { queueDeliveries } from './queue-deliveries.ts';
export { resendWebhookDelivery } from './resend-webhook-delivery.ts';
export { rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { sealPlainSecrets } from './webhook-secret.ts';
