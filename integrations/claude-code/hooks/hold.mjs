/** Posts the plan and waits for the reviewers' decision. Meanwhile Claude Code shows its own question: the first answer counts. */
import { randomUUID } from 'node:crypto';
import { callTool, ReviewProblem } from './countersign.mjs';
import { readReview } from './review-text.mjs';
import { readSession, updateSession } from './session.mjs';

const MAX_SECONDS_PER_CALL = 50;
const POLL_MS = 1000;

/** The hook's output: a decision, or a message for the user if there is none. */
export async function holdForReview(event, settings) {
  const watch = watchForAnswer(event.session_id);
  try {
    return await decide(event, settings);
  } catch (error) {
    if (!(error instanceof ReviewProblem)) throw error;
    return { systemMessage: `${error.message} This plan is up to you: answer the question.` };
  } finally {
    clearInterval(watch);
  }
}

/** Exits once the user has answered, because Claude Code doesn't stop the hook then, or once the next plan is shown. */
function watchForAnswer(sessionId) {
  const waitId = randomUUID();
  updateSession(sessionId, { waitId, review: undefined });
  return setInterval(() => readSession(sessionId).waitId === waitId || process.exit(0), POLL_MS);
}

async function decide(event, settings) {
  const deadline = Date.now() + settings.waitMs;
  const planId = event.session_id;
  const input = { sessionId: planId, content: event.tool_input.plan, agentVendor: 'claude-code' };
  const posted = await callTool(settings, 'update_plan', input);
  const verdict = await untilDecided(posted, settings, deadline);
  const { url, version } = posted;
  switch (verdict) {
    case 'approved': {
      const review = await readReview(settings, { planId, url, version, isApproved: true });
      updateSession(planId, { review });
      if (settings.onApproval === 'ask') {
        return { systemMessage: `Your plan was approved in Countersign: ${url}` };
      }
      return allow(event);
    }
    case 'changes_requested':
      return deny(event, await readReview(settings, { planId, url, version, isApproved: false }));
    case 'closed':
      return deny(
        event,
        `This plan was closed in Countersign: ${url}\nStop, and ask the user how to continue.`,
      );
    case 'superseded':
      return { systemMessage: `Another version of this plan was posted meanwhile: ${url}` };
    default:
      return { systemMessage: `There is no decision in Countersign, so this plan is up to you: ${url}` };
  }
}

async function untilDecided(posted, settings, deadline) {
  let seen = { ...posted, events: [] };
  for (;;) {
    // An approval applies to the newest version, which must be the one that is shown here.
    if (seen.version !== posted.version) return 'superseded';
    if (seen.status === 'closed') return 'closed';
    // Not the status: a plan that is linked to a pull request is implemented, even if nobody approved it. Older services send only that.
    if ((seen.reviewState ?? seen.status) === 'approved') return 'approved';
    if (seen.events.some(({ kind, version }) => kind === 'changes_requested' && version === posted.version)) {
      return 'changes_requested';
    }
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) return 'timeout';
    const timeoutSeconds = Math.min(MAX_SECONDS_PER_CALL, Math.ceil(leftMs / 1000));
    const input = { planId: posted.planId, since: seen.since, timeoutSeconds };
    seen = await callTool(settings, 'wait_for_review', input, timeoutSeconds * 1000);
  }
}

/** Since 2.1.199, Claude Code ignores an `allow` for this tool without `updatedInput`. */
function allow({ hook_event_name: name, tool_input: updatedInput }) {
  return {
    hookSpecificOutput:
      name === 'PermissionRequest'
        ? { hookEventName: name, decision: { behavior: 'allow', updatedInput } }
        : { hookEventName: name, permissionDecision: 'allow', updatedInput },
  };
}

function deny({ hook_event_name: name }, message) {
  return {
    hookSpecificOutput:
      name === 'PermissionRequest'
        ? { hookEventName: name, decision: { behavior: 'deny', message } }
        : { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: message },
  };
}
