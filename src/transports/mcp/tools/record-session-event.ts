/** record_session_event: what an agent reports about its planning session. */
import { z } from 'zod';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'record-session-event';

export const recordSessionEvent = defineTool({
  name: 'record_session_event',
  title: 'Record an event of your session',
  description: {
    does: "Record an event of your planning session, for the plan's page and the team's statistics.",
    use: 'when your instructions or your plugin ask for it: `planner_session_started`, `planner_plan_submitted`, `planner_session_completed`; models and tokens go into `payload`. The code tools record their own calls when you send them `sessionId`.',
    returns: 'that it was recorded.',
    next: 'continue with your work.',
  },
  operations: [OPERATION],
  hints: ADDS,
  input(fieldsOf) {
    const { agentVendor, eventType, repository, sessionId } = fieldsOf(OPERATION);
    return z.object({
      sessionId,
      eventType,
      repository,
      agentVendor,
      payload: z.record(z.string(), z.unknown()).optional().describe('Free-form data of the event.'),
    });
  },
  output: z.object({ sessionId: z.string(), recorded: z.boolean() }),
  async run(given, context) {
    await context.run(OPERATION, given);
    return { sessionId: given.sessionId, recorded: true };
  },
});
