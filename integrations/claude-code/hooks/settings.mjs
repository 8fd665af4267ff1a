/** The hook's settings, from the environment of Claude Code. */

const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 24 * 60;

export function readSettings(env) {
  const minutes = Number(env.COUNTERSIGN_REVIEW_MINUTES);
  return {
    /** The address as it may have been configured, with `/mcp` at its end or without. */
    url: (env.COUNTERSIGN_URL || 'http://127.0.0.1:4000').replace(/\/+$/, '').replace(/\/mcp$/, ''),
    key: env.COUNTERSIGN_API_KEY?.trim() || undefined,
    mode: oneOf(env.COUNTERSIGN_PLAN_REVIEW, ['ask', 'always', 'off']),
    event: oneOf(env.COUNTERSIGN_REVIEW_EVENT, ['PermissionRequest', 'PreToolUse']),
    onApproval: oneOf(env.COUNTERSIGN_ON_APPROVAL, ['continue', 'ask']),
    waitMs: (minutes > 0 ? Math.min(minutes, MAX_MINUTES) : DEFAULT_MINUTES) * 60_000,
  };
}

/** The first is the default, also for a value that is not known. */
function oneOf(value, known) {
  return known.includes(value) ? value : known[0];
}
