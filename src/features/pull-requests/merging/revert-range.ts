/** The range that a revert undoes: everything that a merged pull request brought to its base branch, however it was merged. */
import type { Db } from '../../../platform/db/index.ts';
import { LIMITS } from '../contract/contract-fields.ts';
import { selectFinishedMerge } from '../store/merge-store.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';

export interface RevertRange {
  before: string;
  after: string;
}

/** Null if its commits were never known here. */
export async function revertRange(db: Db, pullRequest: FoundPullRequest): Promise<RevertRange | null> {
  const merge = await selectFinishedMerge(db, pullRequest.id);
  // For a rebase, this is the whole range.
  if (merge) return { before: merge.base_commit, after: merge.merge_commit };
  // It was merged with git: its own changes are the same however that was done.
  const { head_commit: after, merge_base: before } = pullRequest;
  return before !== null && after !== null ? { before, after } : null;
}

/** git keeps a branch as a file, whose name has at most 255 bytes; a number may follow. */
const MAX_BRANCH_BYTES = 200;

export function revertBranch(
  { head_branch, number }: Pick<FoundPullRequest, 'head_branch' | 'number'>,
  attempt: number,
): string {
  let name = '';
  for (const character of `revert-${number}-${head_branch}`)
    if (Buffer.byteLength(name) <= MAX_BRANCH_BYTES) name += character;
  // A name must not end with what git gives a meaning to.
  name = name.replace(/(?:[./]|\.lock)+$/, '');
  return attempt === 1 ? name : `${name}-${attempt}`;
}

export function revertTitle({ title }: Pick<FoundPullRequest, 'title'>): string {
  const room = LIMITS.titleCharacters - 'Revert ""'.length;
  // Without half of a character at the end.
  const cut = title.length <= room ? title : `${title.slice(0, room - 1).replace(/\p{Cs}$/u, '')}…`;
  return `Revert "${cut}"`;
}

export function revertMessage(
  pullRequest: Pick<FoundPullRequest, 'number' | 'title'>,
  { after }: RevertRange,
): string {
  return `${revertTitle(pullRequest)} (#${pullRequest.number})\n\nThis reverts commit ${after}.`;
}
