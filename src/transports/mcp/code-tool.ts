/** What the tools that read code share: the session that a call is recorded with, and names that match several repositories. */
import { isUuid, text } from '../../platform/core/shapes.ts';
import type { FieldsOf } from './run-operation.ts';
import type { ToolContext } from './tool.ts';

/** The operation that every tool of this kind runs besides its own. */
export const RECORD = 'record-session-event';

export interface SessionArguments {
  sessionId?: string;
  sessionRepository?: string;
  agentVendor?: string;
}

export function sessionArguments(fieldsOf: FieldsOf) {
  const { agentVendor, repository } = fieldsOf(RECORD);
  return {
    sessionId: text({ max: 1000 }).optional().describe('UUID of your session, to record the call with it.'),
    sessionRepository: repository.describe('Repository that your session works in.'),
    agentVendor: agentVendor.describe('Name of your agent client.'),
  };
}

/** Why the call was not recorded although a session was named; searching works all the same. */
export function sessionWarning({ sessionId }: SessionArguments): string | undefined {
  return sessionId === undefined || isUuid(sessionId)
    ? undefined
    : '`sessionId` was ignored because it is not a UUID: this call was not recorded.';
}

/** Reads code and, when the agent named its session, records the call; a call that cannot be recorded works all the same. */
export async function readCode<Value>(
  context: ToolContext,
  tool: string,
  given: SessionArguments & { repository: string },
  read: () => Promise<Value | Candidates>,
): Promise<Value | Candidates> {
  const { sessionId } = given;
  const [value] = await Promise.all([
    read(),
    sessionId !== undefined && isUuid(sessionId) && recordCall(context, tool, sessionId, given),
  ]);
  return value;
}

async function recordCall(
  context: ToolContext,
  tool: string,
  sessionId: string,
  { agentVendor, repository, sessionRepository }: SessionArguments & { repository: string },
): Promise<void> {
  try {
    await context.run(RECORD, {
      sessionId,
      eventType: 'planner_tool_called',
      repository: sessionRepository,
      agentVendor,
      payload: { tool, repository },
    });
  } catch (error) {
    context.log.debug({ err: error }, 'a tool call was not recorded with its session');
  }
}

export interface Candidates {
  candidates: string[];
}

export function isCandidates(value: object): value is Candidates {
  return 'candidates' in value;
}

export const CANDIDATES_NEXT =
  'More than one repository has this name. Call again with one of `candidates` as `repository`.';

/** Full names are chosen by administrators of the organization, from letters and a few signs. */
export function writeCandidates({ candidates }: Candidates): string {
  return [CANDIDATES_NEXT, 'candidates:', ...candidates.map((name) => `- ${name}`)].join('\n');
}
