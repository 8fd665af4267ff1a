/** The state of the review: who decided what about which version, and who was asked. */
import { Check, Clock, FileWarning, UserRoundCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Avatar } from '../../../components/avatar.tsx';
import { Clamp } from '../../../components/clamp.tsx';
import type { Plan } from '../plan-data.ts';
import { Fact, TextButton } from './fact.tsx';
import { RequestReview } from './request-review.tsx';

type Review = Plan['reviews'][number];

export function ReviewState({ plan }: { plan: Plan }) {
  const [isRequesting, setIsRequesting] = useState(false);
  const reviews = latestReviews(plan);
  return (
    <Fact icon={<UserRoundCheck />}>
      {reviews.length === 0 && plan.reviewRequests.length === 0 && <span>Not reviewed yet</span>}
      {reviews.map((review) => (
        <Verdict key={review.id} review={review} isCurrent={review.versionId === plan.versionId} />
      ))}
      {plan.reviewRequests.map(({ requestedBy, reviewer }) => (
        <Chip
          key={reviewer.id}
          person={reviewer}
          icon={<Clock className="size-3.5" aria-hidden="true" />}
          title={`Requested by ${requestedBy.name}`}
        >
          {hasReviewed(plan, reviewer.id) ? 'New review' : 'Review'} requested from {reviewer.name}
        </Chip>
      ))}
      {plan.actions.includes('request_review') && (
        <TextButton onClick={() => setIsRequesting(true)}>Request review</TextButton>
      )}
      <RequestReview plan={plan} open={isRequesting} onClose={() => setIsRequesting(false)} />
    </Fact>
  );
}

/** Comments of reviewers on this version, and why this person can't approve it. */
export function ReviewNotes({ plan }: { plan: Plan }) {
  const isUndecided = plan.reviewState !== null && plan.reviewState !== 'approved';
  const isBlocked = isUndecided && plan.actions.includes('comment');
  return (
    <>
      {isBlocked && plan.approvalBlockedBecause && <p className="pl-6">{plan.approvalBlockedBecause}</p>}
      {latestReviews(plan)
        .filter(({ note, versionId }) => note && versionId === plan.versionId)
        .map((review) => (
          <Note key={review.id} review={review} />
        ))}
    </>
  );
}

/** The last review of each person, unless they withdrew it or were asked again since. */
function latestReviews({ reviewRequests, reviews }: Plan): Review[] {
  const latest = new Map<string, Review>();
  for (const review of reviews) {
    if (!latest.has(review.reviewer.id)) latest.set(review.reviewer.id, review);
  }
  const asked = new Set(reviewRequests.map(({ reviewer }) => reviewer.id));
  return [...latest.values()].filter(
    ({ reviewer, withdrawnAt }) => withdrawnAt === null && !asked.has(reviewer.id),
  );
}

function hasReviewed({ reviews }: Plan, userId: string): boolean {
  return reviews.some(({ reviewer }) => reviewer.id === userId);
}

function Verdict({ review, isCurrent }: { review: Review; isCurrent: boolean }) {
  const { reviewer, verdict, version } = review;
  const isApproval = verdict === 'approved';
  const color = isApproval ? 'text-good' : 'text-danger';
  return (
    <Chip
      person={reviewer}
      icon={
        <span className={isCurrent ? color : ''}>
          {isApproval ? (
            <Check className="size-3.5" aria-hidden="true" />
          ) : (
            <FileWarning className="size-3.5" aria-hidden="true" />
          )}
        </span>
      }
    >
      <span className={isCurrent ? 'text-text' : ''}>
        {reviewer.name} {isApproval ? 'approved' : 'requested changes to'} v{version}
      </span>
    </Chip>
  );
}

function Chip(props: {
  person: { id: string; name: string };
  icon: ReactNode;
  title?: string;
  children: ReactNode;
}) {
  const { children, icon, person, title } = props;
  return (
    <span title={title} className="inline-flex min-w-0 items-center gap-1.5 wrap-anywhere">
      <Avatar person={person} size="small" />
      <span className="max-w-72 truncate">{children}</span>
      <span className="shrink-0">{icon}</span>
    </span>
  );
}

function Note({ review }: { review: Review }) {
  const color = review.verdict === 'approved' ? 'border-good/50' : 'border-danger/60';
  return (
    <div className={`ml-6 max-w-3xl border-l-2 pl-3 ${color}`}>
      <Clamp text={review.note!} lines={5}>
        <p className="text-sm wrap-anywhere whitespace-pre-wrap text-text">{review.note}</p>
      </Clamp>
      <p className="text-xs wrap-anywhere">
        {review.reviewer.name}, {review.verdict === 'approved' ? 'approved' : 'requested changes'}
      </p>
    </div>
  );
}
