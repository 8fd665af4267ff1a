/** Who reviewed the pull request with which verdict, and whose review is requested. */
import { CircleCheck, CircleDashed, FileWarning, MessageSquare } from 'lucide-react';
import type { PullRequest } from '../pull-request-data.ts';

type Verdict = PullRequest['verdicts'][number];

const LOOKS = {
  approved: { icon: CircleCheck, look: 'text-good', text: 'approved' },
  changes_requested: { icon: FileWarning, look: 'text-danger', text: 'requested changes' },
  commented: { icon: MessageSquare, look: 'text-quiet', text: 'commented' },
};

export function Reviewers({ pullRequest }: { pullRequest: PullRequest }) {
  const { headCommit, requestedReviewers, verdicts } = pullRequest;
  const latest = latestVerdicts(verdicts);
  if (latest.length === 0 && requestedReviewers.length === 0) return null;
  return (
    <ul aria-label="Reviewers" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {latest.map(({ author, commit, id, verdict }) => {
        const { icon: Icon, look, text } = LOOKS[verdict];
        return (
          <li key={id} className="inline-flex items-center gap-1.5">
            <Icon className={`size-3.5 shrink-0 ${look}`} aria-hidden="true" />
            <span className="font-medium">{author.name}</span>
            <span className="text-quiet">
              {text}
              {commit !== null && commit !== headCommit && ' before the latest push'}
            </span>
          </li>
        );
      })}
      {requestedReviewers.map(({ id, name }) => (
        <li key={id ?? name} className="inline-flex items-center gap-1.5">
          <CircleDashed className="size-3.5 shrink-0 text-warn" aria-hidden="true" />
          <span className="font-medium">{name}</span>
          <span className="text-quiet">review requested</span>
        </li>
      ))}
    </ul>
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
