/**
 * Holds Claude Code's plan mode for review. Reads one hook event from standard input and prints the hook's output.
 * Without output, or after a failure, Claude Code asks its own question.
 */
import { text } from 'node:stream/consumers';
import { askForConsent, recordAnswer } from './consent.mjs';
import { isReachable } from './countersign.mjs';
import { holdForReview } from './hold.mjs';
import { readSession, updateSession } from './session.mjs';
import { readSettings } from './settings.mjs';

const settings = readSettings(process.env);
// Exit without partial output: the client may stop this process at any time, for example when the user has answered.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(0));
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(0), 2000).unref();

try {
  const event = JSON.parse(await text(process.stdin));
  const output = await outputFor(event);
  if (output) process.stdout.write(`${JSON.stringify(output)}\n`);
} catch (error) {
  // Claude Code shows this in its debug log; exit code 1 blocks nothing.
  process.stderr.write(`countersign: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
// An open request must not keep the client waiting.
process.stdout.write('', () => process.exit());

async function outputFor(event) {
  const { hook_event_name: name, session_id: sessionId, tool_name: tool } = event;
  if (settings.mode === 'off' || !isUuid(sessionId)) return undefined;
  if (name === 'PostToolUse') {
    return tool === 'ExitPlanMode' ? deliverReview(sessionId) : recordAnswer(event, settings);
  }
  if (
    tool !== 'ExitPlanMode' ||
    typeof event.tool_input?.plan !== 'string' ||
    !event.tool_input.plan.trim()
  ) {
    return undefined;
  }
  if (name === 'PermissionRequest') {
    return mayHold(sessionId) && settings.event === name ? holdForReview(event, settings) : undefined;
  }
  return name === 'PreToolUse' ? beforeTheQuestion(event) : undefined;
}

/** Asks for consent here because every host fires this event, before it shows its question. Not every host fires PermissionRequest. */
async function beforeTheQuestion(event) {
  const sessionId = event.session_id;
  const { consent, isDelegated } = readSession(sessionId);
  if (settings.mode === 'ask' && consent === undefined) {
    if (await isReachable(settings)) return askForConsent(sessionId, settings);
    return settings.key
      ? { systemMessage: `Countersign at ${settings.url} cannot be reached, so this plan was not posted.` }
      : undefined;
  }
  if (settings.mode === 'ask' && consent !== 'yes') return undefined;
  if (settings.key) return settings.event === 'PreToolUse' ? holdForReview(event, settings) : undefined;
  // Signed in without a key: only the agent can reach the service. Ask it once, and let its next call pass.
  updateSession(sessionId, { isDelegated: !isDelegated });
  return isDelegated ? undefined : deny(delegation(sessionId));
}

function mayHold(sessionId) {
  return (
    settings.key !== undefined && (settings.mode === 'always' || readSession(sessionId).consent === 'yes')
  );
}

/** The plan was accepted. Sends the review to the agent now, because an approval can't carry a message. */
function deliverReview(sessionId) {
  const { review, waitId } = readSession(sessionId);
  if (waitId !== undefined) updateSession(sessionId, { review: undefined, waitId: undefined });
  if (review === undefined) return undefined;
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: review } };
}

function delegation(sessionId) {
  return (
    'The user agreed to have plans of this session reviewed in Countersign. Stay in plan mode. Call update_plan of the MCP server ' +
    `countersign with the whole plan, sessionId ${sessionId} and agentVendor claude-code, show the user the link, then call ` +
    'wait_for_review until reviewers decide. If they request changes, change the plan and post it again. ' +
    'Call ExitPlanMode again when the plan is approved, when the user wants to continue without a review, ' +
    'or if you do not have these tools.'
  );
}

function deny(reason) {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}

function isUuid(value) {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
