/** GET /api/v2/planner-sessions/:sessionId: what an agent reported about one session. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { GetPlannerSessionInput, PlannerSessionReply } from './contract.ts';
import { readPlannerSession } from './read-planner-session.ts';

export const getPlannerSession = defineOperation({
  name: 'get-planner-session',
  group: 'Planner',
  summary: 'Get a planner session',
  http: { method: 'GET', path: '/api/v2/planner-sessions/:sessionId', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: GetPlannerSessionInput,
  output: PlannerSessionReply,
  problems: ['not_found'],
  async run({ actor, db }, { sessionId }) {
    const session = await readPlannerSession(db, actor, sessionId);
    if (!session) throw notFound('The session');
    return {
      ...session,
      sessionId,
      firstEventAt: session.firstEventAt.toISOString(),
      lastEventAt: session.lastEventAt.toISOString(),
    };
  },
});
