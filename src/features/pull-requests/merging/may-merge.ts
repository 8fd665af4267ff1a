/** Whether a merge may begin: every requirement is met, or an admin says why it is merged anyway. Pure. */
import { type Actor, hasRole } from '../../../platform/core/operations/actor.ts';
import type { Requirement } from '../rules/evaluate-requirements.ts';

/** These say that it can't be merged, not that somebody has to agree. */
const NEVER_BYPASSED: ReadonlySet<Requirement['kind']> = new Set(['draft', 'mergeability']);

export type MergeDecision = { refused: string } | { refused: null; bypassed: Requirement['kind'][] };

export function decideMerge(
  requirements: readonly Requirement[],
  { bypassReason, role }: { role: Actor['role']; bypassReason: string | undefined },
): MergeDecision {
  const missing = requirements.filter((each) => !each.isMet);
  const [first] = missing;
  if (!first) return { refused: null, bypassed: [] };
  const sentence = missing.map(({ detail, title }) => (detail ? `${title}: ${detail}` : title)).join('; ');
  if (bypassReason === undefined) return { refused: `It can't be merged yet. ${sentence}` };
  if (!hasRole(role, 'admin')) return { refused: 'Only admins can bypass the merge rule.' };
  const fixed = missing.find(({ kind }) => NEVER_BYPASSED.has(kind));
  if (fixed) return { refused: `This can't be bypassed. ${fixed.title}` };
  return { refused: null, bypassed: [...new Set(missing.map(({ kind }) => kind))] };
}
