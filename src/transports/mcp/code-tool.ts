/** Shared by the tools that read code: recording calls with a session, and ambiguous repository names. */
import { isUuid, text } from '../../platform/core/operations/shapes.ts';
import type { FieldsOf } from './run-operation.ts';
import { createFences } from './text/fence.ts';
import type { ToolContext } from './tool.ts';

/** The operation that every code tool runs in addition to its own. */
export const RECORD = 'record-session-event';

export interface SessionArguments {
  sessionId?: string;
  sessionRepository?: string;
  agentVendor?: string;
}

export function sessionArguments(fieldsOf: FieldsOf) {
  const { agentVendor, repository } = fieldsOf(RECORD);
  return {
    sessionId: text({ max: 1000 }).optional().describe('Session UUID.'),
    sessionRepository: repository.describe('Where you work.'),
    agentVendor: agentVendor.describe('Your client.'),
  };
}

/** Why the call was not recorded although it names a session. The search itself still works. */
export function sessionWarning({ sessionId }: SessionArguments): string | undefined {
  return sessionId === undefined || isUuid(sessionId)
    ? undefined
    : '`sessionId` was ignored because it is not a UUID: this call was not recorded.';
}

/** Reads code and, if the call names a session, records the call. A failure to record does not fail the call. */
export async function readCode<Value>(
  context: ToolContext,
  tool: string,
  given: SessionArguments & { repository?: string },
  read: () => Promise<Value>,
): Promise<Value> {
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
  { agentVendor, repository, sessionRepository }: SessionArguments & { repository?: string },
): Promise<void> {
  try {
    await context.run(RECORD, {
      sessionId,
      eventType: 'planner_tool_called',
      repository: sessionRepository,
      agentVendor,
      payload: repository === undefined ? { tool } : { tool, repository },
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

export function writeCandidates({ candidates }: Candidates): string {
  const fences = createFences(candidates);
  const names = candidates.map((name) => `- ${name}`).join('\n');
  return [CANDIDATES_NEXT, fences.notice, fences.around('candidates', names)].join('\n');
}
