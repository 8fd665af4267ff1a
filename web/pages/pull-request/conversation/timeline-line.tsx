/** One line of the conversation: who did what to the pull request, and when. */
import { Link } from '@tanstack/react-router';
import {
  CircleDot,
  GitCommitHorizontal,
  GitMerge,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestDraft,
  type LucideIcon,
  Undo2,
  UserRoundCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Time } from '../../../components/time.tsx';
import { shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import type { Line } from './describe-timeline.ts';
import type { Entry } from './timeline.ts';

const LOOKS: Record<Line['icon'], { icon: LucideIcon; look: string }> = {
  merged: { icon: GitMerge, look: 'bg-accent-soft text-accent' },
  closed: { icon: GitPullRequestClosed, look: 'bg-danger-soft text-danger' },
  reopened: { icon: GitPullRequest, look: 'bg-good-soft text-good' },
  draft: { icon: GitPullRequestDraft, look: 'bg-sunken text-quiet' },
  asked: { icon: UserRoundCheck, look: 'bg-sunken text-quiet' },
  pushed: { icon: GitCommitHorizontal, look: 'bg-sunken text-quiet' },
  reverted: { icon: Undo2, look: 'bg-sunken text-quiet' },
  other: { icon: CircleDot, look: 'bg-sunken text-quiet' },
};

interface TimelineLineProps {
  entry: Extract<Entry, { kind: 'push' | 'line' }>;
  pullRequestId: string;
}

export function TimelineLine({ entry, pullRequestId }: TimelineLineProps) {
  const { at, line } = entry;
  const { bypassReason, commit, text, who } = line;
  const { icon: Icon, look } = LOOKS[line.icon];
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2.5 gap-y-2 px-3 text-[0.8125rem]">
      <span className={`flex size-6 items-center justify-center rounded-full ${look}`}>
        <Icon className="size-3.5" aria-hidden="true" />
      </span>
      <p className="min-w-0 pt-0.5 text-quiet wrap-anywhere">
        {who !== null && <span className="font-medium text-text">{who} </span>}
        {text}
        {commit && (
          <>
            {' '}
            <code className="font-mono text-xs text-text">{shortCommit(commit)}</code>
          </>
        )}
        {entry.kind === 'line' && entry.revert && (
          <>
            {' '}
            <Place pullRequestId={entry.revert.id}>#{entry.revert.number}</Place>
          </>
        )}{' '}
        <Time at={at} />
        {entry.kind === 'push' && (
          <span className="ml-2">
            <Place pullRequestId={pullRequestId} range={{ from: entry.before.commit, to: entry.head.commit }}>
              View changes
            </Place>
          </span>
        )}
      </p>
      {bypassReason && (
        <p className="col-start-2 justify-self-start rounded-md border border-warn/40 bg-warn-soft px-3 py-2 text-sm text-warn wrap-anywhere">
          Bypassed the merge rule: {bypassReason}
        </p>
      )}
    </div>
  );
}

function Place(props: { pullRequestId: string; range?: { from: string; to: string }; children: ReactNode }) {
  const { children, pullRequestId, range } = props;
  return (
    <Link
      to="/pull-requests/$pullRequestId"
      params={{ pullRequestId }}
      search={range ? { view: 'files', ...range } : {}}
      className="rounded text-accent underline underline-offset-2"
    >
      {children}
    </Link>
  );
}
