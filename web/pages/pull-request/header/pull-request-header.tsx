/** The title of a pull request, its state, branches, labels and people, and what can be decided about it. */
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Copy, ExternalLink } from 'lucide-react';
import { copyText } from '../../../components/copy.tsx';
import { Time } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { StateBadge, VerdictBadge } from '../../../parts/pull-requests/pull-request-state.tsx';
import { MergeBox } from '../merging/merge-box.tsx';
import { UpdateBranch } from '../merging/update-branch.tsx';
import { CommitStatuses } from '../statuses/commit-statuses.tsx';
import { LabelsAndAssignees } from './labels-and-assignees.tsx';
import { MergeStatus } from './merge-status.tsx';
import { AutomaticReview, NextStepLine, Requirements } from './merge-summary.tsx';
import { PullRequestActions } from './pull-request-actions.tsx';
import { Reviewers } from './reviewers.tsx';

export function PullRequestHeader(props: {
  pullRequest: PullRequest;
  /** The head on the page, which may not be the newest. */
  shown: string | null;
  /** This person merged the base branch into the head branch, which has this commit now. */
  onUpdated(commit: string): void;
}) {
  const { onUpdated, pullRequest, shown } = props;
  const { author, createdAt, number, repository, state, title, url, verdict } = pullRequest;
  return (
    <header className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-80 text-xl font-semibold text-pretty wrap-anywhere">
          {title} <span className="font-normal text-quiet">#{number}</span>
        </h1>
        <PullRequestActions pullRequest={pullRequest} shown={shown} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-[0.8125rem] text-quiet">
        <StateBadge state={state} />
        <VerdictBadge state={state} verdict={verdict} />
        <span className="wrap-anywhere">
          <span className="font-medium text-text">{author.name}</span> in{' '}
          <Link
            to="/repositories/$repositoryId"
            params={{ repositoryId: repository.id }}
            className="rounded text-text underline decoration-strong-line underline-offset-2 hover:decoration-current"
          >
            {repository.name}
          </Link>
          , opened <Time at={createdAt} />
        </span>
        <Branches pullRequest={pullRequest} />
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 rounded hover:text-accent hover:underline"
          >
            <ExternalLink className="size-3.5" aria-hidden="true" />
            Open on the code host
          </a>
        )}
      </div>
      <LabelsAndAssignees pullRequest={pullRequest} />
      <Reviewers pullRequest={pullRequest} />
      <section
        aria-label="Next step and merging"
        className="mt-1 grid grid-cols-1 gap-2.5 rounded-xl border border-line px-4 py-3 text-sm [&:not(:has(p,details,button))]:hidden"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 empty:hidden">
          <NextStepLine pullRequest={pullRequest} />
          <MergeBox pullRequest={pullRequest} />
        </div>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-1.5 empty:hidden [&>details[open]]:basis-full">
          <Requirements pullRequest={pullRequest} />
          <MergeStatus pullRequest={pullRequest} />
          <UpdateBranch pullRequest={pullRequest} onUpdated={onUpdated} />
          <CommitStatuses pullRequest={pullRequest} />
          <AutomaticReview pullRequest={pullRequest} />
        </div>
      </section>
    </header>
  );
}

function Branches({ pullRequest }: { pullRequest: PullRequest }) {
  const { baseBranch, headBranch, headRepository } = pullRequest;
  const head = headRepository ? `${headRepository.replace(/\/[^/]*$/, '')}:${headBranch}` : headBranch;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <BranchName name={baseBranch} what="Base branch" />
      <ArrowLeft className="size-3.5 shrink-0" aria-label="from" />
      <BranchName name={head} what="Head branch" />
      <CopyBranch name={headBranch} />
    </span>
  );
}

function BranchName({ name, what }: { name: string; what: string }) {
  return (
    <code
      className="min-w-0 truncate rounded bg-sunken px-1.5 py-0.5 font-mono text-xs text-text"
      title={`${what}: ${name}`}
    >
      <MarkedText text={name} />
    </code>
  );
}

function CopyBranch({ name }: { name: string }) {
  const toast = useToast();
  const copy = async () => toast((await copyText(name)) ? 'Branch copied.' : `Copy this name: ${name}`);
  return (
    <button
      type="button"
      title="Copy the head branch"
      aria-label="Copy the head branch"
      onClick={() => void copy()}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded hover:bg-sunken hover:text-text"
    >
      <Copy className="size-3.5" aria-hidden="true" />
    </button>
  );
}
