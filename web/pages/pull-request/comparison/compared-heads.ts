/** Chooses the two commits to compare: what the pull request changes, what changed since a head, one commit, or any two. Pure. */
import type { PullRequestSearch } from '../../../page-search.ts';
import type { Head, PullRequest, Range } from '../../../parts/pull-request/pull-request-data.ts';

export interface ComparedHeads {
  /** Undefined: what the head is based on, or a commit that isn't a head. */
  from: Head | undefined;
  /** Undefined for a commit that isn't a head. */
  to: Head | undefined;
  range: Range;
  /** Only then can old lines be commented on: they are those of the base. */
  isFromBase: boolean;
  /** `heads`: each end is a head or the base. `commit`: one commit of the pull request. `other`: any two commits. */
  kind: 'heads' | 'commit' | 'other';
}

/** `opened` is the head that was the newest when the page was opened: a push doesn't replace what is being read. */
export function comparedHeads(
  { headCommit, heads, mergeBase }: Pick<PullRequest, 'headCommit' | 'heads' | 'mergeBase'>,
  search: Pick<PullRequestSearch, 'from' | 'to' | 'by'>,
  opened: string | null,
): ComparedHeads {
  const headOf = (commit: string | null | undefined) => heads.findLast((head) => head.commit === commit);
  const end = search.to ?? opened ?? headCommit ?? undefined;
  const to = headOf(end);
  const from = headOf(search.from);
  const isNewest = end === undefined || end === headCommit;
  const kind =
    search.by ?? ((to || isNewest) && (from || search.from === undefined) ? 'heads' : ('other' as const));
  if (search.from === undefined && isNewest) return { from, to, range: {}, isFromBase: true, kind };
  const start = search.from ?? to?.mergeBase ?? mergeBase ?? undefined;
  return {
    from,
    to,
    range: { ...(start && { from: start }), ...(end && { to: end }) },
    // Old lines of another base would be looked up in the newest one.
    isFromBase: start === mergeBase,
    kind,
  };
}

/** One commit, compared with its first parent. */
export function commitSearch({
  commit,
  parents,
}: {
  commit: string;
  parents: readonly string[];
}): Pick<PullRequestSearch, 'view' | 'from' | 'to' | 'by'> | undefined {
  const [parent] = parents;
  return parent === undefined ? undefined : { view: 'files', from: parent, to: commit, by: 'commit' };
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
