/** Ends a list that is sorted by its last update, newest first, at a time. */
import type { PullRequest, PullRequestPage, PullRequestQuery } from './port.ts';

export function pageSince(
  found: { items: PullRequest[]; hasNext: boolean; page: number; etag: string | null },
  { order, since }: PullRequestQuery,
): PullRequestPage {
  const { etag, hasNext, items, page } = found;
  const wanted =
    since === undefined || order === 'created' ? items : items.filter(({ updatedAt }) => updatedAt >= since);
  const next = hasNext && wanted.length === items.length ? String(page + 1) : null;
  return { unchanged: false, items: wanted, next, etag };
}

/** The header that asks for the page only if it changed. */
export function conditional({ etag }: PullRequestQuery): Record<string, string> {
  return etag === undefined ? {} : { 'if-none-match': etag };
}
