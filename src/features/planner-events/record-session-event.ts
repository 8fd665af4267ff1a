/** POST /api/v2/mcp-sessions/events (endpoint 7): stores one planner event of an agent session. */
import { defineOperation } from '../../context.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { RecordSessionEventInput } from './contract.ts';
import { insertPlannerEvent } from './planner-event-store.ts';

export const recordSessionEvent = defineOperation({
  name: 'record-session-event',
  group: 'Planner',
  summary: 'Record a planner event',
  description: 'Stores one event of an agent session. The first event creates the session.',
  http: { method: 'POST', path: '/api/v2/mcp-sessions/events', status: 204 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  input: RecordSessionEventInput,
  output: null,
  problems: [],
  example: {
    request: {
      sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
      eventType: 'planner_session_started',
      repository: 'acme/api',
      agentVendor: 'claude-code',
    },
  },
  async run({ actor, clock, db }, input) {
    await insertPlannerEvent(db, {
      id: uuidv7(),
      organizationId: actor.organizationId,
      sessionId: input.sessionId,
      userId: actor.userId,
      eventType: input.eventType,
      repository: input.repository ?? null,
      agentVendor: input.agentVendor ?? null,
      payload: input.payload ?? null,
      at: clock.now(),
    });
  },
});
