/** record_session_event: what an agent reports about its planning session. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'record-session-event';

export const recordSessionEvent = defineTool({
  name: 'record_session_event',
  title: 'Record an event of your session',
  description: {
    does: "Record an event of your planning session. It appears on the plan's page and in the team's statistics.",
    use: 'when your instructions or your plugin ask for it; put models and tokens into `payload`. Code tools record their calls themselves if you send `sessionId`.',
    returns: '`recorded`.',
    next: 'continue your work.',
  },
  operations: [OPERATION],
  hints: ADDS,
  input(fieldsOf) {
    const { agentVendor, eventType, repository, sessionId } = fieldsOf(OPERATION);
    return z.object({
      sessionId,
      eventType: eventType.describe(
        'Any text; known are planner_session_started, planner_tool_called, planner_plan_submitted, planner_session_completed.',
      ),
      repository,
      agentVendor,
      payload: z.record(z.string(), z.unknown()).optional().describe('Free-form data of the event.'),
    });
  },
  output: z.object({ sessionId: ours('id'), recorded: z.boolean() }),
  async run(given, context) {
    await context.run(OPERATION, given);
    return { sessionId: given.sessionId, recorded: true };
  },
});
