/**
 * Decides from the settings whether a pull request is reviewed. Pure; its invariants:
 * - a review that someone requested always runs;
 * - nothing else runs while `review_only_on_request` is on for the pull request;
 * - a closed pull request isn't reviewed automatically, and a draft only with `review_draft_pull_requests`;
 * - without `review_on_every_push` one head is reviewed: the first that could be;
 * - a head is reviewed once, unless the last open discussion was resolved and `re_review_after_resolution` is on.
 */
import type { SettingKey } from './contract.ts';
import { isOnFor, type PullRequestFacts, type SettingState, withoutExcluded } from './setting-conditions.ts';

/** Why a review could run now. `resolved`: the last open discussion was resolved. */
export type ReviewTrigger = 'opened' | 'pushed' | 'ready' | 'resolved' | 'requested';

export type Settings = Readonly<Record<SettingKey, SettingState>>;

export interface ReviewablePullRequest extends PullRequestFacts {
  state: 'open' | 'draft' | 'merged' | 'closed';
  /** How many of its heads were reviewed. */
  reviewedHeads: number;
  isHeadReviewed: boolean;
}

export type ReviewDecision = { review: true } | { review: false; because: string };

export function shouldReview(
  trigger: ReviewTrigger,
  settings: Settings,
  pullRequest: ReviewablePullRequest,
): ReviewDecision {
  const isOn = (key: SettingKey) => isOnFor(settings[key], pullRequest);
  if (trigger === 'requested') return { review: true };
  const { isHeadReviewed, reviewedHeads, state } = pullRequest;
  if (state === 'merged' || state === 'closed') return no(`The pull request is ${state}.`);
  if (isOn('review_only_on_request')) return no('Reviews run only on request.');
  if (state === 'draft' && !isOn('review_draft_pull_requests')) return no('Drafts are not reviewed.');
  if (trigger === 'resolved') {
    return isOn('re_review_after_resolution')
      ? { review: true }
      : no('Resolving the last discussion doesn’t start another review.');
  }
  if (isHeadReviewed) return no('This commit was already reviewed.');
  if (reviewedHeads > 0 && !isOn('review_on_every_push')) return no('Only the first commits are reviewed.');
  return { review: true };
}

/** Excluded files were not looked at, so a change that touches one is never approved automatically. */
export function mayApproveClean(settings: Settings, pullRequest: PullRequestFacts): boolean {
  const { conditions } = settings.auto_approve_clean;
  const counted = withoutExcluded(pullRequest.files, conditions.excludedPaths ?? []);
  return counted.length === pullRequest.files.length && isOnFor(settings.auto_approve_clean, pullRequest);
}

/** Only where there is none: what a person wrote is never replaced. */
export function mayWriteDescription(settings: Settings, pullRequest: PullRequestFacts): boolean {
  return isOnFor(settings.generate_description, pullRequest);
}

function no(because: string): ReviewDecision {
  return { review: false, because };
}
