/** The reviewers of a pull request, each once: what they said last, and whether their review is requested. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

type Verdict = PullRequest['verdicts'][number];

export interface Reviewer {
  /** The ID of the member or team; the name of anyone else. */
  key: string;
  name: string;
  given?: Verdict;
  isRequested: boolean;
  /** Requested of someone whose approval wouldn't count. */
  isOwnWork?: boolean;
}

export function reviewersOf({
  requestedReviewers,
  state,
  verdicts,
}: Pick<PullRequest, 'requestedReviewers' | 'state' | 'verdicts'>): Reviewer[] {
  const reviewers = new Map<string, Reviewer>();
  for (const [key, given] of latestVerdicts(verdicts))
    reviewers.set(key, { key, name: given.author.name, given, isRequested: false });
  // Nobody waits for reviews of what was merged or closed.
  if (state === 'merged' || state === 'closed') return [...reviewers.values()];
  for (const { canApprove, id, name, teamId } of requestedReviewers) {
    const key = id ?? teamId ?? name;
    reviewers.set(key, {
      ...(reviewers.get(key) ?? { key, name }),
      isRequested: true,
      isOwnWork: !canApprove,
    });
  }
  return [...reviewers.values()];
}

/** The newest of each person; a comment doesn't replace a verdict, nor one that an admin dismissed. */
function latestVerdicts(verdicts: readonly Verdict[]): Map<string, Verdict> {
  const byPerson = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    if (verdict.dismissedAt !== null && verdict.dismissalReason === null) continue;
    const key = verdict.author.id ?? verdict.author.name;
    const before = byPerson.get(key);
    if (verdict.verdict === 'commented' && before) continue;
    byPerson.set(key, verdict);
  }
  return byPerson;
}
