/** Who reviewed the pull request with which verdict, and whose review is requested. */
import { CircleCheck, CircleDashed, FileWarning, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

type Verdict = PullRequest['verdicts'][number];

const LOOKS = {
  approved: { icon: CircleCheck, look: 'text-good', text: 'approved' },
  changes_requested: { icon: FileWarning, look: 'text-danger', text: 'requested changes' },
  commented: { icon: MessageSquare, look: 'text-quiet', text: 'commented' },
};

const ICON = 'mt-[0.2rem] size-3.5 shrink-0';

export function Reviewers({ pullRequest }: { pullRequest: PullRequest }) {
  const { baseBranch, headCommit, requestedReviewers, verdicts } = pullRequest;
  const latest = latestVerdicts(verdicts);
  if (latest.length === 0 && requestedReviewers.length === 0) return null;
  return (
    <ul aria-label="Reviewers" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {latest.map(({ author, baseBranch: reviewedBase, commit, id, verdict }) => {
        const { icon: Icon, look, text } = LOOKS[verdict];
        return (
          <Reviewer
            key={id}
            name={author.name}
            icon={<Icon className={`${ICON} ${look}`} aria-hidden="true" />}
          >
            {text}
            {commit !== null && commit !== headCommit && ' before the latest push'}
            {reviewedBase !== null && reviewedBase !== baseBranch && ` for the base ${reviewedBase}`}
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

/** The newest of each person; a comment doesn't replace a verdict. */
function latestVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  const byPerson = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    if (verdict.dismissedAt !== null) continue;
    const key = verdict.author.id ?? verdict.author.name;
    const before = byPerson.get(key);
    if (verdict.verdict === 'commented' && before) continue;
    byPerson.set(key, verdict);
  }
  return [...byPerson.values()];
}
