/** The results of CI and other tools for the newest commit: one line, which opens to each status with who set it. */
import { ChevronRight, ExternalLink } from 'lucide-react';
import { Time } from '../../../components/time.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { StatusIcon } from '../../../parts/pull-requests/status-icon.tsx';

type Status = PullRequest['statuses'][number];

export function CommitStatuses({
  pullRequest,
}: {
  pullRequest: Pick<PullRequest, 'mergeRequirements' | 'statuses' | 'statusSummary'>;
}) {
  // Those that a merge rule requires are listed with its other requirements.
  const required = new Set(
    pullRequest.mergeRequirements?.requirements.flatMap((each) =>
      requiredStatuses(each, pullRequest.statuses),
    ),
  );
  const statuses = pullRequest.statuses.filter((status) => !required.has(status));
  if (statuses.length === 0) return null;
  const statusSummary = summaryOf(statuses);
  return (
    <details className="group/statuses min-w-0 text-sm">
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-start gap-2 rounded">
        <StatusIcon state={statusSummary} />
        <span role="status" className="min-w-0 wrap-anywhere text-quiet">
          {describe(statuses)}
        </span>
        <ChevronRight
          className="mt-[0.15rem] size-4 shrink-0 text-quiet group-open/statuses:rotate-90"
          aria-hidden="true"
        />
      </summary>
      <ul aria-label="Statuses" className="mt-2 grid grid-cols-1 gap-2 border-l border-line pl-3">
        {statuses.toSorted(worstFirst).map((status) => (
          <StatusRow key={status.name} status={status} />
        ))}
      </ul>
    </details>
  );
}

type Requirement = NonNullable<PullRequest['mergeRequirements']>['requirements'][number];

const REQUIRED: Record<Status['state'], string> = {
  failure: 'failed',
  error: 'failed',
  pending: 'is pending',
  success: 'is successful',
};

/** The statuses that a requirement is about: it says their state, so they need not be shown again. */
export function requiredStatuses({ kind, title }: Requirement, statuses: readonly Status[]): Status[] {
  if (kind !== 'status') return [];
  return statuses.filter(({ name, state }) => title === `${name} ${REQUIRED[state]}`);
}

function summaryOf(statuses: readonly Status[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  return statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success';
}

const ORDER: Record<Status['state'], number> = { failure: 0, error: 1, pending: 2, success: 3 };
const worstFirst = (left: Status, right: Status) => ORDER[left.state] - ORDER[right.state];
const WORDS: Record<Status['state'], string> = {
  failure: 'failed',
  error: 'could not run',
  pending: 'pending',
  success: 'succeeded',
};

function describe(statuses: readonly Status[]): string {
  const failed = statuses.filter(({ state }) => state === 'failure' || state === 'error');
  const pending = statuses.filter(({ state }) => state === 'pending');
  const all = statuses.length === 1 ? '1 status' : `${statuses.length} statuses`;
  if (failed.length > 0)
    return failed.length === 1
      ? `${failed[0]!.name} ${WORDS[failed[0]!.state]}`
      : `${failed.length} of ${all} failed`;
  if (pending.length > 0)
    return pending.length === 1
      ? `${pending[0]!.name} is pending`
      : `${pending.length} of ${all} are pending`;
  return statuses.length === 1 ? `${statuses[0]!.name} succeeded` : `All ${all} succeeded`;
}

function StatusRow({ status }: { status: Status }) {
  return (
    <li className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-2">
      <StatusIcon state={status.state} />
      <StatusDetails status={status} />
    </li>
  );
}

export function StatusDetails({ status }: { status: Status }) {
  const { description, name, state, updatedAt, url } = status;
  return (
    <div className="min-w-0 wrap-anywhere">
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex items-baseline gap-1 rounded font-medium hover:text-accent hover:underline"
        >
          {name}
          <ExternalLink className="size-3 shrink-0 self-center" aria-label="opens elsewhere" />
        </a>
      ) : (
        <span className="font-medium">{name}</span>
      )}{' '}
      <span className="text-quiet">
        {WORDS[state]}
        {description && ` · ${description}`}
      </span>
      <p className="text-xs text-quiet">
        {setter(status)} · <Time at={updatedAt} />
      </p>
    </div>
  );
}

function setter({ setBy }: Status): string {
  const name = setBy.name ?? 'Unknown account';
  if (setBy.with === 'host') return setBy.name ? `${name} on the code host` : 'On the code host';
  if (setBy.with === 'oauth') return `An agent of ${name}`;
  return setBy.keyName === null ? name : `${name}, API key ${setBy.keyName}`;
}
