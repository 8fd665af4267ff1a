/** In which ways a person can merge a pull request now. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export type MergeWay = 'now' | 'when_ready' | 'bypass';
type Facts = Pick<PullRequest, 'mergeRequirements' | 'mergeWhenReady' | 'mergeability'>;

/** The first way is the one to offer. */
export function mergeChoices(
  { mergeRequirements, mergeWhenReady, mergeability }: Facts,
  { role, userId }: { role: string; userId: string },
) {
  const missing = (mergeRequirements?.requirements ?? []).filter(({ isMet }) => !isMet);
  const lacks = (...kinds: string[]) => missing.some(({ kind }) => kinds.includes(kind));
  const isOfOther = mergeWhenReady !== null && mergeWhenReady.person.id !== userId;
  const canWait = !lacks('who_may_merge') && mergeability !== 'conflicts' && !isOfOther;
  const canBypass = (role === 'admin' || role === 'owner') && !lacks('draft', 'mergeability');
  const ways: MergeWay[] =
    missing.length === 0
      ? ['now']
      : [...(canWait ? (['when_ready'] as const) : []), ...(canBypass ? (['bypass'] as const) : [])];
  return { missing, ways };
}
