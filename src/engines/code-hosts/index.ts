/** The public interface of code hosts: the port, its errors, and the adapters behind one factory. */
export { createCodeHosts } from './create-code-hosts.ts';
export { type HostEnvironment, systemEnvironment } from './environment.ts';
export { HostError, type HostErrorCode, isHostError } from './host-error.ts';
export type * from './port.ts';
export { isSignedWebhook, type ReadWebhook, type ReceivedWebhook } from './read-webhooks.ts';
export { WebhookWork } from './webhook-work.ts';
