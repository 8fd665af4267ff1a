/** The shapes of planner sessions (endpoint 7): what an agent reports about its planning. */
import { z } from 'zod';
import { jsonObjectAsSent, requiredText, text, timestamp, uuid } from '../../platform/core/shapes.ts';

/** The set is open; these are the types that today's planner plugins send. */
export const KNOWN_EVENT_TYPES = [
  'planner_session_started',
  'planner_tool_called',
  'planner_plan_submitted',
  'planner_session_completed',
] as const;

export const RecordSessionEventInput = z.object({
  sessionId: uuid().describe('The agent session.'),
  eventType: requiredText({ max: 200 }).describe(
    `What happened. Any text is taken; known are ${KNOWN_EVENT_TYPES.join(', ')}.`,
  ),
  repository: text({ max: 300 }).optional().describe('Repository name.'),
  agentVendor: text({ max: 100 }).optional().describe('Agent client name.'),
  payload: jsonObjectAsSent().optional().describe('Free-form event data, kept as it was sent.'),
});

export const GetPlannerSessionInput = z.object({ sessionId: uuid().describe('The agent session.') });
export const PlannerSessionReply = z
  .object({
    sessionId: uuid(),
    agentVendor: z.string().nullable().describe('The first that one of its events named.'),
    eventCount: z.int(),
    firstEventAt: timestamp(),
    lastEventAt: timestamp(),
    repositories: z.array(z.string()).describe('At most 100.'),
  })
  .meta({ id: 'PlannerSessionReply' });
