/** What reviews found over the last weeks and what became of it, as small charts with a table for those who can't see them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { ErrorState, LoadingRows } from '../../components/page.tsx';

type Figures = CallOutput<'get-review-figures'>;
type Week = Figures['weeks'][number];

/** Of one reviewer, or of all with how often each is addressed. */
export function ReviewFigures({ reviewerId }: { reviewerId?: string }) {
  const { data, error, refetch } = useQuery(operationQuery('get-review-figures', { reviewerId }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={2} />;
  const { reviewers, weeks } = data;
  const sum = (of: (week: Week) => number) => weeks.reduce((total, week) => total + of(week), 0);
  const [findings, pullRequests] = [sum((week) => week.findings), sum((week) => week.pullRequests)];
  if (findings === 0 && (reviewerId !== undefined || pullRequests === 0))
    return <p className="text-sm text-quiet">No findings in the last {weeks.length} weeks.</p>;
  const times = weeks.flatMap(({ secondsToFirstReview }) => secondsToFirstReview ?? []).sort((a, b) => a - b);
  return (
    <div className="grid gap-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
        <Figure name="Findings" value={String(findings)} />
        {reviewerId === undefined && pullRequests > 0 && (
          <Figure name="Per pull request" value={(findings / pullRequests).toFixed(1)} />
        )}
        <Figure
          name="Addressed"
          value={shareOf(
            sum((week) => week.addressed),
            findings,
          )}
        />
        <Figure
          name="Dismissed"
          value={shareOf(
            sum((week) => week.dismissed),
            findings,
          )}
        />
        {reviewerId === undefined && times.length > 0 && (
          <Figure name="Time to first review" value={durationOf(times[Math.floor(times.length / 2)]!)} />
        )}
      </dl>
      <Bars weeks={weeks} />
      {reviewerId === undefined && reviewers.length > 0 && <ByReviewer reviewers={reviewers} />}
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-lg font-semibold">{value}</dd>
    </div>
  );
}

const PARTS = [
  { name: 'Addressed', fill: 'fill-good', dot: 'bg-good' },
  { name: 'Dismissed', fill: 'fill-quiet', dot: 'bg-quiet' },
  { name: 'Open', fill: 'fill-accent', dot: 'bg-accent' },
] as const;
const HEIGHT = 60;
const STEP = 20;
const BAR = 14;

/** One bar for each week, addressed findings at the bottom. */
function Bars({ weeks }: { weeks: Week[] }) {
  const highest = Math.max(1, ...weeks.map(({ findings }) => findings));
  return (
    <figure className="grid gap-2">
      <svg
        viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT}`}
        className="h-20 w-full max-w-xl border-b border-line"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Findings by week: ${weeks.map(describeWeek).join('; ')}`}
      >
        {weeks.map((week, index) => {
          const counts = [week.addressed, week.dismissed, week.findings - week.addressed - week.dismissed];
          let bottom = HEIGHT;
          return counts.map((count, part) => {
            const height = (count / highest) * HEIGHT;
            bottom -= height;
            const { fill, name } = PARTS[part]!;
            return (
              <rect
                key={`${week.week} ${name}`}
                className={fill}
                x={index * STEP}
                y={bottom}
                width={BAR}
                height={height}
              >
                <title>{describeWeek(week)}</title>
              </rect>
            );
          });
        })}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
        {PARTS.map(({ dot, name }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full ${dot}`} aria-hidden="true" />
            {name}
          </span>
        ))}
        <span>by week, last {weeks.length} weeks</span>
      </figcaption>
    </figure>
  );
}

function describeWeek({ addressed, dismissed, findings, week }: Week): string {
  return `${week.slice(0, 10)}: ${findings} found, ${addressed} addressed, ${dismissed} dismissed`;
}

function ByReviewer({ reviewers }: { reviewers: Figures['reviewers'] }) {
  return (
    <ul className="grid max-w-xl gap-2 text-sm">
      {reviewers.map(({ addressed, dismissed, findings, id, title }) => (
        <li key={id ?? title} className="grid gap-1">
          <div className="flex flex-wrap justify-between gap-x-4">
            {id === null ? (
              <span className="wrap-anywhere">{title}</span>
            ) : (
              <Link
                to="/reviewers/$reviewerId"
                params={{ reviewerId: id }}
                className="wrap-anywhere hover:underline"
              >
                {title}
              </Link>
            )}
            <span className="text-quiet">
              {findings} {findings === 1 ? 'finding' : 'findings'}, {shareOf(addressed, findings)} addressed
            </span>
          </div>
          <div className="flex h-1.5 overflow-hidden rounded-full bg-accent" aria-hidden="true">
            <div className="bg-good" style={{ width: shareOf(addressed, findings) }} />
            <div className="bg-quiet" style={{ width: shareOf(dismissed, findings) }} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function shareOf(part: number, all: number): string {
  return all === 0 ? '0%' : `${Math.round((part / all) * 100)}%`;
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
