/** The shapes of planner sessions and their events (endpoint 7), as reported by agents. */
import { z } from 'zod';
import {
  jsonObjectAsSent,
  requiredText,
  text,
  timestamp,
  uuid,
} from '../../platform/core/operations/shapes.ts';

/** The types that current planner plugins send. Other types are accepted as well. */
export const KNOWN_EVENT_TYPES = [
  'planner_session_started',
  'planner_tool_called',
  'planner_plan_submitted',
  'planner_session_completed',
] as const;

export const RecordSessionEventInput = z.object({
  sessionId: uuid().describe('The agent session.'),
  eventType: requiredText({ max: 200 }).describe(
    `The type of event. Any text is accepted; known types are ${KNOWN_EVENT_TYPES.join(', ')}.`,
  ),
  repository: text({ max: 300 }).optional().describe('Repository name.'),
  agentVendor: text({ max: 100 }).optional().describe('Agent client name.'),
  payload: jsonObjectAsSent().optional().describe('Free-form event data, stored as sent.'),
});

export const GetPlannerSessionInput = z.object({ sessionId: uuid().describe('The agent session.') });
export const PlannerSessionReply = z
  .object({
    sessionId: uuid(),
    agentVendor: z.string().nullable().describe('The first one named by an event of the session.'),
    eventCount: z.int(),
    firstEventAt: timestamp(),
    lastEventAt: timestamp(),
    repositories: z.array(z.string()).describe('At most 100.'),
  })
  .meta({ id: 'PlannerSessionReply' });
