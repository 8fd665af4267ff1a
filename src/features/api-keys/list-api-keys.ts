/** GET /api/v2/api-keys: the caller's own keys, newest first, including revoked ones. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { selectKeys } from './api-key-store.ts';
import { ApiKeyPage, ListApiKeysInput } from './contract.ts';
import { presentApiKey } from './present-api-key.ts';

export const listApiKeys = defineOperation({
  name: 'list-api-keys',
  group: 'API keys',
  summary: 'List your API keys',
  http: { method: 'GET', path: '/api/v2/api-keys', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListApiKeysInput,
  output: ApiKeyPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectKeys(db, actor, {
      beforeId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { keys: page.map(presentApiKey), nextCursor };
  },
});
