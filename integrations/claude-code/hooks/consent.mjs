/** Whether the user agrees to upload plans: asked once per session, with words that are fixed here. */
import { readSession, updateSession } from './session.mjs';

const YES = 'Upload';
const NO = 'Not in this session';

/** What the user must have been shown for an answer to count. */
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

/** Sends the agent to ask. It is recorded first, so that an agent that cannot ask is not stopped a second time. */
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
        'call AskUserQuestion with exactly this input, then call ExitPlanMode again, whatever the answer is. ' +
        JSON.stringify({ questions: [questionFor(settings)] }),
    },
  };
}

/** Takes the user's answer from the client itself, never from the agent. */
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
