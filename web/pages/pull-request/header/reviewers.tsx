/** Who reviewed the pull request with which verdict, whose review was dismissed, and whose is requested. */
import { CircleCheck, CircleDashed, CircleSlash, FileWarning, MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { type OwnedPattern, useOwnedBy } from '../owners/use-owners.ts';
import { DismissReviewDialog } from './dismiss-review-dialog.tsx';
import { reviewersOf } from './reviewers-of.ts';

type Verdict = PullRequest['verdicts'][number];

const LOOKS = {
  approved: { icon: CircleCheck, look: 'text-good', text: 'approved' },
  changes_requested: { icon: FileWarning, look: 'text-danger', text: 'requested changes' },
  commented: { icon: MessageSquare, look: 'text-quiet', text: 'commented' },
};

const ICON = 'mt-[0.2rem] size-3.5 shrink-0';

export function Reviewers({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, baseBranch, headCommit, id: pullRequestId } = pullRequest;
  const [dismissing, setDismissing] = useState<Verdict | null>(null);
  const entries = reviewersOf(pullRequest);
  const owned = useOwnedBy(pullRequest);
  if (entries.length === 0) return null;
  const mayDismiss = ({ author, verdict }: Verdict) =>
    allowedActions.includes('dismiss_review') && author.id !== null && verdict !== 'commented';
  return (
    <ul aria-label="Reviewers" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {entries.map(({ given, isOwnWork, isRequested, key, name }) => {
        const owns = (
          <>
            <Owns owned={owned.get(key)} />
            {isOwnWork && ', can’t approve: wrote or pushed some of this'}
          </>
        );
        if (!given)
          return (
            <Reviewer
              key={key}
              name={name}
              icon={<CircleDashed className={`${ICON} text-warn`} aria-hidden="true" />}
            >
              review requested{owns}
            </Reviewer>
          );
        const { baseBranch: reviewedBase, commit, dismissalReason, dismissedBy, verdict } = given;
        const { icon: Icon, look, text } = LOOKS[verdict];
        const again = isRequested && ', review requested again';
        if (dismissalReason !== null)
          return (
            <Reviewer
              key={key}
              name={name}
              icon={<CircleSlash className={`${ICON} text-quiet`} aria-hidden="true" />}
            >
              <s>{text}</s>, dismissed by {dismissedBy}: {dismissalReason}
              {again}
              {owns}
            </Reviewer>
          );
        return (
          <Reviewer key={key} name={name} icon={<Icon className={`${ICON} ${look}`} aria-hidden="true" />}>
            {text}
            {commit !== null && commit !== headCommit && ' before the latest push'}
            {reviewedBase !== null && reviewedBase !== baseBranch && ` for the base ${reviewedBase}`}
            {again}
            {owns}
            {mayDismiss(given) && (
              <button
                type="button"
                aria-label={`Dismiss the review of ${name}`}
                onClick={() => setDismissing(given)}
                className="ml-1.5 rounded text-xs underline decoration-strong-line underline-offset-2 hover:text-text hover:decoration-current"
              >
                Dismiss
              </button>
            )}
          </Reviewer>
        );
      })}
      <DismissReviewDialog
        pullRequestId={pullRequestId}
        verdict={dismissing}
        onClose={() => setDismissing(null)}
      />
    </ul>
  );
}

/** Which code the person or team owns of what is changed. */
function Owns({ owned = [] }: { owned: readonly OwnedPattern[] | undefined }) {
  const [first, ...more] = owned;
  if (!first) return null;
  const all = owned.map(({ line, pattern }) => `${pattern} (line ${line})`).join(', ');
  return (
    <span title={`Code owner by ${first.file}: ${all}`}>
      , owns <code className="font-mono text-xs">{first.pattern}</code>
      {more.length > 0 && ` and ${more.length} more`}
    </span>
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
