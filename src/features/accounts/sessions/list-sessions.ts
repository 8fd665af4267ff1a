/** GET /api/v2/sessions: the caller's signed-in devices, most recently used first. */
import { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { DeviceList } from '../contract.ts';
import { selectSessionsOf } from '../store/session-store.ts';

export const listSessions = defineOperation({
  name: 'list-sessions',
  group: 'Accounts',
  summary: 'List your signed-in devices',
  http: { method: 'GET', path: '/api/v2/sessions', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: z.object({}),
  output: DeviceList,
  problems: [],
  async run({ actor, clock, db }) {
    const rows = await selectSessionsOf(db, actor.userId, clock.now());
    return {
      sessions: rows.map((row) => ({
        id: row.id,
        current: row.id === actor.credentialId,
        userAgent: row.user_agent,
        address: row.address,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      })),
    };
  },
});
