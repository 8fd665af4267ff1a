/** Findings of the last weeks and how many were addressed, as figures and small charts. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { FindingsByWeek } from './findings-by-week.tsx';

type Figures = CallOutput<'get-review-figures'>;
type Week = Figures['weeks'][number];

/** Shows one reviewer, or all with how often each is addressed. */
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
      <FindingsByWeek weeks={weeks} />
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

/** The bar of the reviewer with most findings has the full length. */
function ByReviewer({ reviewers }: { reviewers: Figures['reviewers'] }) {
  const highest = Math.max(...reviewers.map(({ findings }) => findings));
  return (
    <ul aria-label="Findings by reviewer" className="grid gap-2.5 text-sm">
      {reviewers.map(({ addressed, dismissed, findings, id, kind, title }) => (
        <li key={id ?? `${kind} ${title}`} className="grid gap-1">
          <div className="flex flex-wrap justify-between gap-x-4">
            {id === null ? (
              <span className="wrap-anywhere">
                {title}
                {kind !== 'reviewer' && <span className="text-quiet"> ({kind})</span>}
              </span>
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
              {dismissed > 0 && `, ${shareOf(dismissed, findings)} dismissed`}
            </span>
          </div>
          <div className="h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
            <div className="flex h-full bg-accent" style={{ width: shareOf(findings, highest) }}>
              <div className="bg-good" style={{ width: shareOf(addressed, findings) }} />
              <div className="bg-quiet" style={{ width: shareOf(dismissed, findings) }} />
            </div>
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
