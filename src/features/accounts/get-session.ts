/** GET /api/v2/session: who is signed in, where, and where else they may go. */
import { z } from 'zod';
import { defineOperation } from '../../context.ts';
import { SessionView } from './contract.ts';
import { presentSession } from './start-session.ts';

export const getSession = defineOperation({
  name: 'get-session',
  group: 'Accounts',
  summary: 'Who is signed in',
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
