/** Who reviewed the pull request with which verdict, whose review was dismissed, and whose is requested. */
import { CircleCheck, CircleDashed, CircleSlash, FileWarning, MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { DismissReviewDialog } from './dismiss-review-dialog.tsx';

type Verdict = PullRequest['verdicts'][number];

const LOOKS = {
  approved: { icon: CircleCheck, look: 'text-good', text: 'approved' },
  changes_requested: { icon: FileWarning, look: 'text-danger', text: 'requested changes' },
  commented: { icon: MessageSquare, look: 'text-quiet', text: 'commented' },
};

const ICON = 'mt-[0.2rem] size-3.5 shrink-0';

export function Reviewers({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, baseBranch, headCommit, requestedReviewers, verdicts } = pullRequest;
  const [dismissing, setDismissing] = useState<Verdict | null>(null);
  const latest = latestVerdicts(verdicts);
  if (latest.length === 0 && requestedReviewers.length === 0) return null;
  const mayDismiss = ({ author, verdict }: Verdict) =>
    allowedActions.includes('dismiss_review') && author.id !== null && verdict !== 'commented';
  return (
    <ul aria-label="Reviewers" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {latest.map((given) => {
        const { author, baseBranch: reviewedBase, commit, dismissalReason, dismissedBy, id, verdict } = given;
        const { icon: Icon, look, text } = LOOKS[verdict];
        if (dismissalReason !== null)
          return (
            <Reviewer
              key={id}
              name={author.name}
              icon={<CircleSlash className={`${ICON} text-quiet`} aria-hidden="true" />}
            >
              <s>{text}</s>, dismissed by {dismissedBy}: {dismissalReason}
            </Reviewer>
          );
        return (
          <Reviewer
            key={id}
            name={author.name}
            icon={<Icon className={`${ICON} ${look}`} aria-hidden="true" />}
          >
            {text}
            {commit !== null && commit !== headCommit && ' before the latest push'}
            {reviewedBase !== null && reviewedBase !== baseBranch && ` for the base ${reviewedBase}`}
            {mayDismiss(given) && (
              <button
                type="button"
                aria-label={`Dismiss the review of ${author.name}`}
                onClick={() => setDismissing(given)}
                className="ml-1.5 rounded text-xs underline decoration-strong-line underline-offset-2 hover:text-text hover:decoration-current"
              >
                Dismiss
              </button>
            )}
          </Reviewer>
        );
      })}
      {requestedReviewers.map(({ id, name, teamId }) => (
        <Reviewer
          key={id ?? teamId ?? name}
          name={name}
          icon={<CircleDashed className={`${ICON} text-warn`} aria-hidden="true" />}
        >
          review requested
        </Reviewer>
      ))}
      <DismissReviewDialog
        pullRequestId={pullRequest.id}
        verdict={dismissing}
        onClose={() => setDismissing(null)}
      />
    </ul>
  );
}

/** One text, so that a narrow window wraps it like a sentence. */
function Reviewer({ children, icon, name }: { name: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-w-0 gap-1.5">
      {icon}
      <span className="min-w-0 text-quiet wrap-anywhere">
        <span className="font-medium text-text">{name}</span> {children}
      </span>
    </li>
  );
}

/** The newest of each person; a comment doesn't replace a verdict, nor one that an admin dismissed. */
function latestVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  const byPerson = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    if (verdict.dismissedAt !== null && verdict.dismissalReason === null) continue;
    const key = verdict.author.id ?? verdict.author.name;
    const before = byPerson.get(key);
    if (verdict.verdict === 'commented' && before) continue;
    byPerson.set(key, verdict);
  }
  return [...byPerson.values()];
}
