/** Filters discussions by status, and by who opened them. Pure. */
import type { Discussion, DiscussionStatus } from '../../../parts/pull-request/threads/discussion-data.ts';

export interface DiscussionFilter {
  /** Default: all. */
  status?: DiscussionStatus;
  /** The name of the person, reviewer or bot. */
  author?: string;
}

export function filterDiscussions(
  discussions: readonly Discussion[],
  { author, status }: DiscussionFilter,
): Discussion[] {
  return discussions.filter(
    (each) =>
      (status === undefined || each.status === status) &&
      (author === undefined || each.author.name === author),
  );
}

export function authorsOf(discussions: readonly Discussion[]): string[] {
  return [...new Set(discussions.map(({ author }) => author.name))].sort((a, b) => a.localeCompare(b));
}
