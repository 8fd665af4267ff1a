/** What the tools that read code have in common: the session they may report to, and a name that fits several repositories. */
import { z } from 'zod';
import type { FieldsOf } from './run-operation.ts';
import type { Reply, ToolContext } from './tool.ts';

/** The operation that every tool of this kind runs besides its own. */
export const RECORD = 'record-session-event';

export interface SessionArguments {
  sessionId?: string;
  sessionRepository?: string;
  agentVendor?: string;
}

export function sessionArguments(fieldsOf: FieldsOf) {
  const { agentVendor, repository, sessionId } = fieldsOf(RECORD);
  return {
    sessionId: sessionId.optional().describe('Your session, if the call is to be recorded with it.'),
    sessionRepository: repository.describe('The repository that your session works in.'),
    agentVendor: agentVendor.describe('The agent client you are.'),
  };
}

/** Reads code and, when the agent named its session, records that it did; what cannot be recorded is no reason to fail. */
export async function readCode<Value>(
  context: ToolContext,
  tool: string,
  given: SessionArguments & { repository: string },
  read: () => Promise<Value | Candidates>,
): Promise<Value | Candidates> {
  const [value] = await Promise.all([
    read(),
    given.sessionId === undefined ? undefined : recordCall(context, tool, given.sessionId, given),
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

export const CANDIDATES_ANSWER = {
  candidates: z
    .array(z.string())
    .optional()
    .describe('Instead of everything else when more than one repository has this name: their full names.'),
};

export function isCandidates(value: object): value is Candidates {
  return 'candidates' in value;
}

/** Full names are made by administrators of the organization, of letters and few signs. */
export function candidatesReply({ candidates }: Candidates): Reply<Candidates> {
  return {
    structured: { candidates },
    text: [
      'More than one repository has this name. Call again with one of these as `repository`:',
      ...candidates.map((name) => `- ${name}`),
    ].join('\n'),
  };
}
