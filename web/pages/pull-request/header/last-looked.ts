/** The head that a person reviewed last, or else looked at last, and what happened to it since. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export interface LastLooked {
  commit: string;
  isReview: boolean;
  /** Whether the newest head contains it, so that what came since can be read alone. */
  isContained: boolean;
}

/** The heads that this person pushed from here, such as by applying suggestions. Nobody knows who pushed with git. */
export function ownHeads({ timeline }: Pick<PullRequest, 'timeline'>, userId: string): Set<string> {
  return new Set(
    timeline.flatMap(({ actor, data, kind }) =>
      kind === 'pull_request_pushed' && actor.id === userId ? [String(data.headCommit)] : [],
    ),
  );
}

/** Whether there are heads after this one, all of them the person's own. */
export function isFollowedByOwn(
  { heads }: Pick<PullRequest, 'heads'>,
  commit: string,
  own: ReadonlySet<string>,
): boolean {
  const later = heads.slice(heads.findLastIndex((head) => head.commit === commit) + 1);
  return later.length > 0 && later.length < heads.length && later.every((head) => own.has(head.commit));
}

/** Undefined if it is the newest head but for the person's own, or if there is none. */
export function lastLooked(
  pullRequest: Pick<PullRequest, 'headCommit' | 'heads' | 'verdicts'>,
  userId: string,
  lastSeen: string | null,
  own: ReadonlySet<string>,
): LastLooked | undefined {
  const { headCommit, heads, verdicts } = pullRequest;
  const headOf = (wanted: string | null) => heads.findLast(({ commit }) => commit === wanted);
  const reviewed = verdicts.findLast(({ author, commit }) => author.id === userId && headOf(commit))?.commit;
  const head = headOf(reviewed ?? lastSeen);
  if (!head || head.commit === headCommit || isFollowedByOwn(pullRequest, head.commit, own)) return undefined;
  return {
    commit: head.commit,
    isReview: reviewed !== undefined && reviewed !== null,
    // Where it isn't known, it may have been rewritten.
    isContained: heads.every(({ forced, position }) => position <= head.position || forced === false),
  };
}
