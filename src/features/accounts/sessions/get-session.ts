/** GET /api/v2/session: the signed-in user, their organization, and the organizations they can switch to. */
import { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { SessionView } from '../contract.ts';
import { presentSession } from './start-session.ts';

export const getSession = defineOperation({
  name: 'get-session',
  group: 'Accounts',
  summary: 'Get the signed-in user',
  http: { method: 'GET', path: '/api/v2/session', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: z.object({}),
  output: SessionView,
  problems: [],
  async run({ actor, db }) {
    return presentSession(db, actor);
  },
});
