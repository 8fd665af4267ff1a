/** The reviews of a pull request by the service's reviewers: what was found, what was left out and why. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../components/page.tsx';
import { asLabel } from '../../../components/text-with-code.tsx';
import { Time } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { describeResult, Reviewing, type Run, reviewRunsQuery, useReviewRuns } from './review-result.tsx';
import { ReviewRunDetails } from './review-run.tsx';

const TRIGGERS: Record<Run['trigger'], string> = {
  opened: 'when it was opened',
  pushed: 'after a push',
  ready: 'when it was ready for review',
  resolved: 'after the last discussion was resolved',
  requested: 'requested',
  agent: 'reported',
};

export function ReviewsView({ pullRequest }: { pullRequest: PullRequest }) {
  const { id } = pullRequest;
  const { data, error, refetch } = useReviewRuns(id);
  const [chosen, setChosen] = useState<string>();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={3} />;
  const shown = data.runs.find((run) => run.id === chosen) ?? data.runs[0];
  return (
    <div className="grid w-full grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <RequestReview pullRequest={pullRequest} due={data.due} />
        <Reviewing pullRequestId={id} />
      </div>
      {data.runs.length === 0 && !data.due && (
        <EmptyState title="No reviews yet">
          Pull requests are reviewed when they are opened and after each push. You can also start a review
          here.
        </EmptyState>
      )}
      {data.runs.length > 0 && (
        <RunList
          runs={data.runs}
          stillOpen={pullRequest.openDiscussions}
          shown={shown}
          onChoose={setChosen}
        />
      )}
      {shown && <ReviewRunDetails key={shown.id} runId={shown.id} pullRequest={pullRequest} />}
    </div>
  );
}

function RequestReview({ pullRequest, due }: { pullRequest: PullRequest; due: boolean }) {
  const client = useQueryClient();
  const toast = useToast();
  const request = async () => {
    try {
      await call('request-review-run', { pullRequestId: pullRequest.id });
      await client.invalidateQueries(reviewRunsQuery(pullRequest.id));
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
  return (
    <Button disabled={due} onClick={() => void request()}>
      Run reviewers
    </Button>
  );
}

function RunList({
  onChoose,
  runs,
  shown,
  stillOpen,
}: {
  runs: Run[];
  /** Discussions of the pull request. */
  stillOpen: number;
  shown: Run | undefined;
  onChoose(id: string): void;
}) {
  return (
    <ul
      aria-label="Reviews"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
    >
      {runs.map((run, index) => (
        <li key={run.id}>
          <button
            type="button"
            aria-current={run.id === shown?.id}
            onClick={() => onChoose(run.id)}
            className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-left text-sm hover:bg-sunken aria-[current=true]:bg-sunken"
          >
            <span className="font-medium">
              {asLabel(describeResult(run, index === runs.length - 1))}
              {index === 0 && run.state === 'done' && run.findings === 0 && stillOpen > 0 && (
                <span className="font-normal">
                  , {stillOpen === 1 ? '1 discussion is' : `${stillOpen} discussions are`} still open
                </span>
              )}
            </span>
            <span className="text-quiet">
              <span className="font-mono text-xs">{shortCommit(run.headCommit)}</span>,{' '}
              {TRIGGERS[run.trigger]}
              {run.requestedBy &&
                (run.trigger === 'agent' ? ` for ${run.requestedBy}` : ` by ${run.requestedBy}`)}
            </span>
            <span className="ml-auto text-xs text-quiet">
              <Time at={run.startedAt} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
