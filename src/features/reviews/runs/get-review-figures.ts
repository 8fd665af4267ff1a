/** GET /api/v2/review-figures: what reviews found over the last twelve weeks, and what became of it. */
import { defineOperation } from '../../../context.ts';
import { FIGURE_WEEKS, GetReviewFiguresInput, ReviewFigures } from '../contract.ts';
import { selectFindingFigures, selectReviewFigures } from './figure-store.ts';

/** Agents can call themselves anything. */
const MAX_LISTED = 200;
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** A Monday, as weeks begin in PostgreSQL. */
const MONDAY = Date.UTC(2024, 0, 1);

export const getReviewFigures = defineOperation({
  name: 'get-review-figures',
  group: 'Reviews',
  summary: 'Get figures of reviews',
  description: 'Of the last 12 weeks, in repositories that you can see. Weeks start on Monday, in UTC.',
  http: { method: 'GET', path: '/api/v2/review-figures', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewFiguresInput,
  output: ReviewFigures,
  problems: [],
  async run({ actor, clock, db }, { reviewerId = null }) {
    const thisWeek = MONDAY + Math.floor((clock.now().getTime() - MONDAY) / WEEK_MS) * WEEK_MS;
    const since = new Date(thisWeek - (FIGURE_WEEKS - 1) * WEEK_MS);
    const [found, reviewed] = await Promise.all([
      selectFindingFigures(db, actor, since, reviewerId),
      selectReviewFigures(db, actor, since),
    ]);
    const weeks = Array.from({ length: FIGURE_WEEKS }, (_, index) => {
      const week = new Date(since.getTime() + index * WEEK_MS);
      const inWeek = reviewed.find((row) => row.week.getTime() === week.getTime());
      return {
        week: week.toISOString(),
        pullRequests: inWeek?.pull_requests ?? 0,
        secondsToFirstReview: inWeek ? Math.round(inWeek.seconds) : null,
        ...sumOf(found.filter((row) => row.week.getTime() === week.getTime())),
      };
    });
    const byReviewer = Map.groupBy(
      found,
      ({ kind, reviewer_id, title }) => reviewer_id ?? `${kind} ${title}`,
    );
    const reviewers = [...byReviewer.values()].map((rows) => ({
      id: rows[0]!.reviewer_id,
      kind: rows[0]!.kind,
      title: rows[0]!.title,
      ...sumOf(rows),
    }));
    reviewers.sort((one, other) => other.findings - one.findings);
    return { weeks, reviewers: reviewers.slice(0, MAX_LISTED) };
  },
});

function sumOf(rows: { findings: number; addressed: number; dismissed: number }[]) {
  const sum = { findings: 0, addressed: 0, dismissed: 0 };
  for (const row of rows) {
    sum.findings += row.findings;
    sum.addressed += row.addressed;
    sum.dismissed += row.dismissed;
  }
  return sum;
}
