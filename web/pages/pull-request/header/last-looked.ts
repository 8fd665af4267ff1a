/** The head that a person reviewed last, or else looked at last, and what happened to it since. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export interface LastLooked {
  commit: string;
  isReview: boolean;
  /** Whether the newest head contains it, so that what came since can be read alone. */
  isContained: boolean;
}

/** Undefined if it is the newest head, or if there is none. */
export function lastLooked(
  { headCommit, heads, verdicts }: Pick<PullRequest, 'headCommit' | 'heads' | 'verdicts'>,
  userId: string,
  lastSeen: string | null,
): LastLooked | undefined {
  const headOf = (wanted: string | null) => heads.findLast(({ commit }) => commit === wanted);
  const reviewed = verdicts.findLast(({ author, commit }) => author.id === userId && headOf(commit))?.commit;
  const head = headOf(reviewed ?? lastSeen);
  if (!head || head.commit === headCommit) return undefined;
  return {
    commit: head.commit,
    isReview: reviewed !== undefined && reviewed !== null,
    // Where it isn't known, it may have been rewritten.
    isContained: heads.every(({ forced, position }) => position <= head.position || forced === false),
  };
}
