/** A comment that says only `recheck`, here or on the code host: the newest commit is reviewed again for the person who wrote it. */
import type { PullRequestChange } from './pull-request-change.ts';

const RECHECK = /^\s*(?:@?countersign[\s,:]+)?recheck\s*[.!]?\s*$/i;

export function isRecheck(body: string): boolean {
  return RECHECK.test(body);
}

/** Nothing to do if a review is queued, or if the commits are not known yet: a review starts automatically then. */
export function requestRecheck(change: PullRequestChange, userId: string): void {
  const { merge_base: mergeBase, review_trigger: trigger, state } = change.pullRequest;
  const isActive = state === 'open' || state === 'draft';
  if (isActive && mergeBase !== null && trigger !== 'requested') change.wantReview('requested', userId);
}
