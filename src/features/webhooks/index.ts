/** The public interface of webhooks. */
export { deliverWebhook } from './deliver-webhook.ts';
export { deliveryMaker } from './make-deliveries.ts';
export { sealPlainSecrets } from './webhook-secret.ts';
