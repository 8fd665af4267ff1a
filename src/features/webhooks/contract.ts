/** The shapes and limits of webhooks. */
import { z } from 'zod';
import { MAX_ATTEMPTS } from '../../platform/core/network/retry-delay.ts';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, secretText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { PLAN_EVENT_KINDS } from '../plans/contract.ts';
import { PULL_REQUEST_EVENT_KINDS } from '../pull-requests/contract.ts';

export const MAX_WEBHOOKS = 20;
export const URL_CHARACTERS = 2000;

/** The events that a webhook can receive: all events of all subjects. No kind belongs to two kinds of subjects. */
export const WEBHOOK_EVENT_KINDS = [...PLAN_EVENT_KINDS, ...PULL_REQUEST_EVENT_KINDS] as const;
export type WebhookEventKind = (typeof WEBHOOK_EVENT_KINDS)[number];

export const WEBHOOK_FORMATS = ['json', 'slack', 'mattermost'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const Url = requiredText({ max: URL_CHARACTERS }).describe(
  'The URL that deliveries are posted to: http or https, without credentials or a fragment.',
);
const EventKinds = z
  .array(z.enum(WEBHOOK_EVENT_KINDS))
  .max(WEBHOOK_EVENT_KINDS.length)
  .describe('The events to send. Empty: all events, including ones added in the future.');

export const Webhook = z
  .object({
    id: uuid(),
    url: z.string().describe('Of a chat only the beginning, because its URL is a secret.'),
    format: z.enum(WEBHOOK_FORMATS),
    repositoryId: uuid().nullable().describe('Null: the whole organization.'),
    eventKinds: z.array(z.string()).describe('Empty: all events.'),
    enabled: z.boolean(),
    createdBy: z.object({ id: uuid(), name: z.string() }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    newestDelivery: z
      .object({
        id: uuid(),
        state: z.enum(DELIVERY_STATES),
        createdAt: timestamp(),
        responseStatus: z.int().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Webhook' });

export const ListWebhooksInput = z.object({});
export const WebhookList = z
  .object({
    webhooks: z.array(Webhook).describe(`Oldest first; there are at most ${MAX_WEBHOOKS}.`),
  })
  .meta({ id: 'WebhookList' });

export const CreateWebhookInput = z.object({
  url: Url,
  eventKinds: EventKinds.optional(),
  enabled: z.boolean().optional().describe('Default: true.'),
  format: z
    .enum(WEBHOOK_FORMATS)
    .optional()
    .describe('`slack` and `mattermost`: messages for an incoming webhook of that chat. Default: `json`.'),
  repositoryId: uuid()
    .optional()
    .describe('Only events of pull requests of this repository. Default: all events of the organization.'),
});
export const CreatedWebhook = z
  .object({
    webhook: Webhook,
    secret: secretText('The secret that signs deliveries. Shown only once.'),
  })
  .meta({ id: 'CreatedWebhook' });

export const ChangeWebhookInput = z.object({
  webhookId: uuid(),
  url: Url.optional(),
  eventKinds: EventKinds.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe('If false, no more events are sent, and pending deliveries are canceled.'),
});

export const TestWebhookInput = z.object({ webhookId: uuid() });
export const TestedWebhook = z
  .object({
    responseStatus: z.int().nullable().describe('Null if there was no response.'),
    note: z.string().nullable().describe('The error, or the beginning of the response body.'),
  })
  .meta({ id: 'TestedWebhook' });

export const DeleteWebhookInput = z.object({ webhookId: uuid() });
export const RotateWebhookSecretInput = z.object({ webhookId: uuid() });

export const WebhookDelivery = z
  .object({
    id: uuid().describe('Sent in the `webhook-id` header. The same for each attempt.'),
    webhookId: uuid(),
    eventKind: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().describe(`Attempts since it was created or resent. It fails after ${MAX_ATTEMPTS}.`),
    createdAt: timestamp(),
    lastAttemptAt: timestamp().nullable(),
    nextAttemptAt: timestamp().nullable(),
    responseStatus: z.int().nullable().describe('The status of the last response; null if there was none.'),
    note: z.string().nullable().describe('The error, or the beginning of the response body.'),
    durationMs: z.int().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const ListWebhookDeliveriesInput = z.object({
  webhookId: uuid(),
  state: z.enum(DELIVERY_STATES).optional(),
  ...PAGE_INPUT,
});
export const WebhookDeliveryPage = z
  .object({
    deliveries: z.array(WebhookDelivery).describe('Newest first. They are kept for 30 days.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'WebhookDeliveryPage' });

export const GetWebhookDeliveryInput = z.object({ webhookId: uuid(), deliveryId: uuid() });
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  payload: z.string().describe('The request body, as a JSON string.'),
  attemptLog: z
    .array(
      z.object({
        at: timestamp(),
        responseStatus: z.int().nullable(),
        note: z.string().nullable(),
        durationMs: z.int(),
      }),
    )
    .describe('The last 20 attempts, oldest first.'),
}).meta({ id: 'WebhookDeliveryDetail' });

export const ResendWebhookDeliveryInput = z.object({ webhookId: uuid(), deliveryId: uuid() });
