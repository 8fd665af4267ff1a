/** At a glance: the one next step for the person who looks, what is needed before it can be merged, and what the automatic review concluded. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, CircleDashed, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../api/queries.ts';
import { Spinner } from '../../../components/spinner.tsx';
import type { PullRequestSearch } from '../../../page-search.ts';
import { type PullRequest, pullRequestQuery } from '../../../parts/pull-request/pull-request-data.ts';
import { describeResult } from '../reviews/review-result.tsx';
import { requiredStatuses, StatusDetails } from '../statuses/commit-statuses.tsx';
import { showConflicts } from './merge-status.tsx';
import { type NextStep, nextStep } from './next-step.ts';
import { RequestReviewDialog } from './request-review-dialog.tsx';

const ASK_AGAIN_MS = 1500;
const ICON = 'mt-[0.15rem] size-4 shrink-0';
const LINK = 'rounded text-accent underline underline-offset-2';

/** Where the step is done, if that is a place of its own; the other steps are buttons of this header. */
const PLACES: Partial<Record<NextStep['kind'], PullRequestSearch>> = {
  review: { view: 'files' },
  answer: { status: 'open' },
  change: {},
};

export function NextStepLine({ pullRequest }: { pullRequest: PullRequest }) {
  const { role, user } = useSession();
  const [isAsking, setAsking] = useState(false);
  const step = nextStep(pullRequest, { id: user.id, isAdmin: role === 'admin' || role === 'owner' });
  if (!step) return null;
  const { kind, text } = step;
  if (kind === 'wait') return <p className="wrap-anywhere text-quiet">{text}</p>;
  const place = PLACES[kind];
  const acts: Partial<Record<NextStep['kind'], () => void>> = {
    request_review: () => setAsking(true),
    resolve_conflicts: showConflicts,
  };
  const act = acts[kind];
  return (
    <p className="wrap-anywhere">
      <span className="text-quiet">Next: </span>
      {place && (
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: pullRequest.id }}
          search={place}
          className={`font-medium ${LINK}`}
        >
          {text}
        </Link>
      )}
      {kind === 'merge_on_host' && pullRequest.url && (
        <a href={pullRequest.url} target="_blank" rel="noreferrer" className={`font-medium ${LINK}`}>
          {text}
        </a>
      )}
      {act && (
        <button type="button" onClick={act} className={`font-medium ${LINK}`}>
          {text}
        </button>
      )}
      {!place && !act && kind !== 'merge_on_host' && <span className="font-medium">{text}</span>}
      {kind === 'request_review' && (
        <RequestReviewDialog pullRequest={pullRequest} open={isAsking} onClose={() => setAsking(false)} />
      )}
    </p>
  );
}

export function Requirements({ pullRequest }: { pullRequest: PullRequest }) {
  const { role, user } = useSession();
  const { mergeRequirements, statuses } = pullRequest;
  if (!mergeRequirements) return null;
  const step = nextStep(pullRequest, { id: user.id, isAdmin: role === 'admin' || role === 'owner' });
  // The header says by itself whether it merges.
  const listed = mergeRequirements.requirements.filter(({ kind }) => kind !== 'mergeability');
  const metCount = listed.filter(({ isMet }) => isMet).length;
  const isComplete = metCount === listed.length;
  const Icon = isComplete ? CircleCheck : CircleDashed;
  // Failures are seen without opening the list, unless the next step names them.
  const failed = listed.filter(
    ({ isMet, kind, title }) =>
      kind === 'status' && !isMet && title.endsWith(' failed') && !step?.text.endsWith(title),
  );
  return (
    <details className="group/needs min-w-0">
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-start gap-2 rounded">
        <Icon className={`${ICON} ${isComplete ? 'text-good' : 'text-warn'}`} aria-hidden="true" />
        <span className="min-w-0 font-medium wrap-anywhere">
          {isComplete ? 'Merge rule met' : `${metCount} of ${listed.length} merge requirements met`}
          {failed.length > 0 && (
            <span className="text-danger group-open/needs:hidden">{`, ${failed.map(({ title }) => title).join(', ')}`}</span>
          )}
        </span>
        <ChevronRight className={`${ICON} text-quiet group-open/needs:rotate-90`} aria-hidden="true" />
      </summary>
      <ul className="mt-2 grid grid-cols-1 gap-1.5 border-l border-line pl-3">
        {listed.map((requirement) => {
          const { detail, isMet, kind, title } = requirement;
          const about = requiredStatuses(requirement, statuses);
          const Mark = isMet ? CircleCheck : CircleDashed;
          return (
            <li key={`${kind} ${title}`} className="flex min-w-0 items-start gap-2">
              <Mark className={`${ICON} ${isMet ? 'text-good' : 'text-warn'}`} aria-hidden="true" />
              <div className="min-w-0 wrap-anywhere">
                <span className="sr-only">{isMet ? 'Done: ' : 'Missing: '}</span>
                {about.length === 0 && title}
                {about.map((status) => (
                  <StatusDetails key={`${status.name} ${status.setBy.name}`} status={status} />
                ))}
                {detail && <span className="block text-[0.8125rem] text-quiet">{detail}</span>}
              </div>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

export function AutomaticReview({ pullRequest }: { pullRequest: PullRequest }) {
  const { automaticReview, id } = pullRequest;
  // No event says that a review found nothing.
  useQuery({
    ...pullRequestQuery(id),
    refetchInterval: ({ state: { data } }) => (data?.automaticReview.due ? ASK_AGAIN_MS : false),
  });
  const { due, findings, isFirst, state } = automaticReview;
  if (due)
    return (
      <p className="flex items-center gap-2 text-quiet">
        <Spinner /> Reviewing…
      </p>
    );
  if (state === null) return null;
  const isClean = state === 'done' && findings === 0;
  const Icon = isClean ? CircleCheck : ScanSearch;
  return (
    <p className="flex items-start gap-2 text-quiet">
      <Icon className={`${ICON} ${isClean ? 'text-good' : ''}`} aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">
        Automatic review: {describeResult({ ...automaticReview, state }, isFirst)}.{' '}
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: id }}
          search={{ view: 'reviews' }}
          className={LINK}
        >
          Details
        </Link>
      </span>
    </p>
  );
}
