/** Display names of the agents. */

/** Accepted by default. */
export const USUAL_AGENTS = ['claude-code', 'codex', 'cursor', 'command-line'];

const NAMES = new Map([
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['cursor', 'Cursor'],
  ['command-line', 'Command line'],
]);

/** A person posted the plan from a terminal. */
export function isPerson(vendor: string): boolean {
  return vendor === 'command-line';
}

export function agentName(vendor: string): string {
  return NAMES.get(vendor) ?? vendor;
}
