/** The status of a repository: ready or not, work in progress, and what went wrong. */
import type { CallOutput } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { Time } from '../../components/time.tsx';
import { formatBytes, formatCount } from '../fields/format-amounts.ts';

export type Repository = CallOutput<'list-repositories'>['repositories'][number];
type Activity = NonNullable<Repository['activity']>;

const PHASES: Record<Activity['phase'], string> = {
  waiting: 'Queued',
  connecting: 'Connecting',
  counting: 'Counting objects',
  receiving: 'Receiving objects',
  resolving: 'Resolving deltas',
  indexing: 'Indexing for search',
  extracting: 'Extracting facts',
};

const WHILE_UNDER_WAY_MS = 1000;
const OTHERWISE_MS = 30_000;

/** How long until the next refetch; hidden tabs don't refetch. */
export function pauseUntilNext(repositories: Repository[]): number {
  return repositories.some(isUnderWay) ? WHILE_UNDER_WAY_MS : OTHERWISE_MS;
}

export function isUnderWay({ activity, state }: Repository): boolean {
  return activity !== null || state === 'waiting' || state === 'cloning';
}

export function StateBadge({ repository: { activity, problem, state } }: { repository: Repository }) {
  if (state === 'waiting') return <Badge>Queued</Badge>;
  if (state === 'cloning') return <Badge kind="accent">Cloning</Badge>;
  if (state === 'failed') return <Badge kind="danger">Failed</Badge>;
  if (activity) return <Badge kind="accent">Refreshing</Badge>;
  return problem ? <Badge kind="warn">Refresh failed</Badge> : <Badge kind="good">Ready</Badge>;
}

export function Progress({ repository: { activity, name } }: { repository: Repository }) {
  if (!activity) return null;
  const { percent } = activity;
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={`Progress of ${name}`}
        aria-valuetext={formatProgress(activity)}
        {...(percent !== null && { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent })}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className={`h-full rounded-full bg-accent transition-[width] duration-500 ${percent === null ? 'animate-pulse opacity-40' : ''}`}
          style={{ width: `${percent ?? 100}%` }}
        />
      </div>
      <p className="text-[0.8125rem] text-quiet tabular-nums">{formatProgress(activity)}</p>
    </div>
  );
}

function formatProgress({ bytes, objects, percent, phase, totalObjects }: Activity): string {
  const amounts = [
    objects !== null &&
      (totalObjects === null ? formatCount(objects, 'object') : formatPart(objects, totalObjects)),
    bytes !== null && formatBytes(bytes),
  ];
  const [first, ...others] = [PHASES[phase], ...amounts.filter((amount) => amount !== false)];
  return [percent === null ? first : `${first}: ${percent} %`, ...others].join(' · ');
}

function formatPart(objects: number, total: number): string {
  return `${formatNumber(objects)} of ${formatCount(total, 'object')}`;
}

/** The error, and when the next attempt is. */
export function RepositoryProblem({ repository: { problem, state } }: { repository: Repository }) {
  if (!problem) return null;
  return (
    <div className={`text-[0.8125rem] wrap-anywhere ${state === 'failed' ? 'text-danger' : 'text-warn'}`}>
      <p>{problem.message}</p>
      <p className="text-quiet">
        Last attempt <Time at={problem.at} />
        {problem.nextTryAt && (
          <>
            , next <Time at={problem.nextTryAt} />
          </>
        )}
      </p>
    </div>
  );
}
