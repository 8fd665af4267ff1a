/** The shapes and limits of API keys. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, secretText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_ACTIVE_KEYS = 100;

export const KeyName = requiredText({ max: 200 });

export const ApiKey = z
  .object({
    id: uuid(),
    name: z.string(),
    prefix: z.string().describe('The first characters of the secret.'),
    lastFour: z.string().describe('The last four characters of the secret.'),
    createdAt: timestamp(),
    lastUsedAt: timestamp().nullable().describe('Updated at most once a minute.'),
    revokedAt: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' });

export const CreateApiKeyInput = z.object({
  name: KeyName.describe('A label to recognize this key.'),
});

export const CreatedApiKey = z
  .object({
    key: ApiKey,
    secret: secretText('The API key itself. It is shown only once.'),
  })
  .meta({ id: 'CreatedApiKey' });

export const ListApiKeysInput = z.object({ ...PAGE_INPUT });
export const ApiKeyPage = z
  .object({ keys: z.array(ApiKey), nextCursor: nextCursorShape() })
  .meta({ id: 'ApiKeyPage' });

export const RevokeApiKeyInput = z.object({ keyId: uuid() });
