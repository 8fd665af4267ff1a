/** A list of plans, two lines each: title and status, then version, repositories, author and comments. */
import { Link } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import type { Ref } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { PlanStatusBadge } from '../../components/plan-status.tsx';
import { Time } from '../../components/time.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import { agentName, isPerson } from './agent-names.ts';

type PlanSummary = CallOutput<'list-plans'>['plans'][number];

const MAX_REPOSITORIES = 2;

export function PlanRows({
  label,
  plans,
  ref,
  busy = false,
}: {
  label: string;
  plans: PlanSummary[];
  ref?: Ref<HTMLUListElement>;
  /** Other plans are being loaded. */
  busy?: boolean;
}) {
  return (
    <ul
      ref={ref}
      aria-label={label}
      aria-busy={busy}
      className={`divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised transition-opacity ${busy ? 'opacity-60' : ''}`}
    >
      {plans.map((plan) => (
        <PlanRow key={plan.seriesId} plan={plan} />
      ))}
    </ul>
  );
}

function PlanRow({ plan }: { plan: PlanSummary }) {
  const { agentVendor, commentCount, createdBy, seriesId, title, updatedAt, version } = plan;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5 transition-colors hover:bg-sunken">
      <Link
        to="/plans/$seriesId"
        params={{ seriesId }}
        {...LIST_ENTRY}
        className="line-clamp-2 font-medium wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        {title}
      </Link>
      <span className="justify-self-end">
        <PlanStatusBadge plan={plan} />
      </span>
      <p className="min-w-0 text-[0.8125rem] wrap-anywhere text-quiet max-sm:col-span-2 sm:truncate">
        <span className="tabular-nums">v{version}</span>
        <Repositories repos={plan.repos} />
        {' · '}
        {createdBy.name}
        {!isPerson(agentVendor) && ` with ${agentName(agentVendor)}`}
      </p>
      <p className="flex items-center gap-3 text-[0.8125rem] whitespace-nowrap text-quiet max-sm:col-span-2 sm:justify-end">
        {commentCount > 0 && (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <MessageSquare className="size-3.5" aria-hidden="true" />
            {commentCount}
            <span className="sr-only">{commentCount === 1 ? ' comment' : ' comments'}</span>
          </span>
        )}
        <span className="max-sm:order-first sm:min-w-[6.25rem] sm:text-right">
          <Time at={updatedAt} />
        </span>
      </p>
    </li>
  );
}

function Repositories({ repos }: Pick<PlanSummary, 'repos'>) {
  if (repos.length === 0) return null;
  const names = repos.map(({ repoName }) => repoName);
  const more = names.length - MAX_REPOSITORIES;
  return (
    <span title={names.join(', ')}>
      {' · '}
      <span className="text-text">{names.slice(0, MAX_REPOSITORIES).join(', ')}</span>
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

/** Placeholders for rows that are being loaded. */
export function LoadingPlanRows({ rows = 6 }: { rows?: number }) {
  return (
    <div
      role="status"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
    >
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these rows are all alike and never change places.
        <div key={index} className="grid h-[4.1rem] content-center gap-2 px-4">
          <div className="h-3.5 w-1/2 animate-pulse rounded bg-line" />
          <div className="h-2.5 w-1/3 animate-pulse rounded bg-line" />
        </div>
      ))}
    </div>
  );
}
