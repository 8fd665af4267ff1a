/** The state of a pull request and the verdict of its reviewers, as words with icons. */
import {
  CircleCheck,
  FileWarning,
  GitMerge,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestDraft,
  type LucideIcon,
} from 'lucide-react';
import type { CallOutput } from '../../api/client.ts';

export type PullRequestSummary = CallOutput<'list-pull-requests'>['pullRequests'][number];
export type PullRequestState = PullRequestSummary['state'];

interface Look {
  name: string;
  icon: LucideIcon;
  look: string;
}

export const STATES: Record<PullRequestState, Look> = {
  open: { name: 'Open', icon: GitPullRequest, look: 'bg-good-soft text-good' },
  draft: { name: 'Draft', icon: GitPullRequestDraft, look: 'bg-sunken text-quiet' },
  merged: { name: 'Merged', icon: GitMerge, look: 'bg-accent-soft text-accent' },
  closed: { name: 'Closed', icon: GitPullRequestClosed, look: 'bg-danger-soft text-danger' },
};

const VERDICTS: Record<NonNullable<PullRequestSummary['verdict']>, Look> = {
  approved: { name: 'Approved', icon: CircleCheck, look: 'bg-good-soft text-good' },
  changes_requested: { name: 'Changes requested', icon: FileWarning, look: 'bg-danger-soft text-danger' },
};

export function StateBadge({ state }: { state: PullRequestState }) {
  return <LookBadge {...STATES[state]} />;
}

/** Changes that were requested hold nothing up any more once it is merged or closed. */
export function VerdictBadge({ state, verdict }: Pick<PullRequestSummary, 'state' | 'verdict'>) {
  const isOver = state === 'merged' || state === 'closed';
  if (verdict === null || (isOver && verdict === 'changes_requested')) return null;
  return <LookBadge {...VERDICTS[verdict]} />;
}

function LookBadge({ icon: Icon, look, name }: Look) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-full pr-2.5 pl-1.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon className="size-3.5" aria-hidden="true" />
      {name}
    </span>
  );
}
