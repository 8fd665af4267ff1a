/** Asks for the user's consent to upload plans, once per session, with a fixed question. */
import { readSession, updateSession } from './session.mjs';

const YES = 'Upload';
const NO = 'Not in this session';

/** An answer counts only if the user was shown exactly this question. */
function questionFor({ url }) {
  return {
    question: `Upload the plans of this session to Countersign (${url}), so that your team can review them?`,
    header: 'Countersign',
    multiSelect: false,
    options: [
      {
        label: YES,
        description: 'Your team can comment, request changes and approve. You can still decide here.',
      },
      { label: NO, description: 'Nothing is uploaded, and you will not be asked again in this session.' },
    ],
  };
}

/** Makes the agent ask. This is recorded first, so that an agent that can't ask is not blocked twice. */
export function askForConsent(sessionId, settings) {
  updateSession(sessionId, { consent: 'asked' });
  const tools = settings.key
    ? ''
    : 'If you do not have the tools of the MCP server countersign, only call ExitPlanMode again. Otherwise: ';
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason:
        `${tools}Before this plan is shown, ask the user once whether plans may be uploaded for review: ` +
        'call AskUserQuestion with exactly this input, then call ExitPlanMode again, regardless of the answer. ' +
        JSON.stringify({ questions: [questionFor(settings)] }),
    },
  };
}

/** Takes the answer from the client's event, never from the agent. */
export function recordAnswer({ session_id: sessionId, tool_response: response }, settings) {
  const expected = questionFor(settings);
  const wasAsked = response?.questions?.some(
    ({ question, options }) =>
      question === expected.question &&
      JSON.stringify(options?.map(({ label }) => label)) === JSON.stringify([YES, NO]),
  );
  if (!wasAsked || readSession(sessionId).consent === undefined) return undefined;
  updateSession(sessionId, { consent: response.answers?.[expected.question] === YES ? 'yes' : 'no' });
  return undefined;
}
