/** The hook's settings, from Claude Code's environment. */

const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 24 * 60;

export function readSettings(env) {
  const minutes = Number(env.COUNTERSIGN_REVIEW_MINUTES);
  return {
    /** The base URL; the setting may end in `/mcp`. */
    url: (env.COUNTERSIGN_URL || 'http://127.0.0.1:4000').replace(/\/+$/, '').replace(/\/mcp$/, ''),
    key: env.COUNTERSIGN_API_KEY?.trim() || undefined,
    mode: oneOf(env.COUNTERSIGN_PLAN_REVIEW, ['ask', 'always', 'off']),
    event: oneOf(env.COUNTERSIGN_REVIEW_EVENT, ['PermissionRequest', 'PreToolUse']),
    onApproval: oneOf(env.COUNTERSIGN_ON_APPROVAL, ['continue', 'ask']),
    waitMs: (minutes > 0 ? Math.min(minutes, MAX_MINUTES) : DEFAULT_MINUTES) * 60_000,
  };
}

/** The first value is the default, also for unknown values. */
function oneOf(value, known) {
  return known.includes(value) ? value : known[0];
}
