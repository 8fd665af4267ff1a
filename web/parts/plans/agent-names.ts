/** Display names of the agents. */

/** Accepted by default. */
export const USUAL_AGENTS = ['claude-code', 'codex', 'cursor'];

const NAMES = new Map([
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['cursor', 'Cursor'],
]);

export function agentName(vendor: string): string {
  return NAMES.get(vendor) ?? vendor;
}
