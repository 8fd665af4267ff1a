/** Chooses the two commits to compare: what the pull request changes, what changed since a head, or any two heads. Pure. */
import type { Head, PullRequest, Range } from '../../../parts/pull-request/pull-request-data.ts';

export interface ComparedHeads {
  /** Undefined: what the head is based on. */
  from: Head | undefined;
  to: Head | undefined;
  range: Range;
  /** Only then can old lines be commented on: they are those of the base. */
  isFromBase: boolean;
}

/** `opened` is the head that was the newest when the page was opened: a push doesn't replace what is being read. */
export function comparedHeads(
  { headCommit, heads }: Pick<PullRequest, 'headCommit' | 'heads'>,
  search: Range,
  opened: string | null,
): ComparedHeads {
  const headOf = (commit: string | null | undefined) => heads.findLast((head) => head.commit === commit);
  const wanted = search.to ?? opened ?? headCommit;
  const to = headOf(wanted) ?? headOf(headCommit);
  const from = headOf(search.from);
  const isNewest = to === undefined || to.commit === headCommit;
  if (!from && isNewest) return { from, to, range: {}, isFromBase: true };
  const base = from?.commit ?? to?.mergeBase ?? undefined;
  return {
    from,
    to,
    range: { ...(base && { from: base }), ...(to && { to: to.commit }) },
    isFromBase: !from,
  };
}

/** The push that answered a discussion: from the head before it. */
export function hunkSearch(
  { heads }: Pick<PullRequest, 'heads'>,
  commit: string,
  path: string,
): Range & { view: 'files'; path: string } {
  const head = heads.findLast((each) => each.commit === commit);
  const before = head && heads.findLast(({ position }) => position === head.position - 1);
  return { view: 'files', ...(before && { from: before.commit, to: commit }), path };
}
