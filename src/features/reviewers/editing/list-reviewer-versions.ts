/** GET /api/v2/reviewers/:reviewerId/versions: the versions of a custom reviewer, newest first. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { ListReviewerVersionsInput, ReviewerVersionPage } from '../contract.ts';
import { selectReviewer, selectVersions } from '../store/reviewer-store.ts';
import { presentVersionLine } from './present-reviewer.ts';

export const listReviewerVersions = defineOperation({
  name: 'list-reviewer-versions',
  group: 'Reviewers',
  summary: "List a reviewer's versions",
  description: 'Empty for built-in reviewers.',
  http: { method: 'GET', path: '/api/v2/reviewers/:reviewerId/versions', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListReviewerVersionsInput,
  output: ReviewerVersionPage,
  problems: ['not_found'],
  async run({ actor, db }, { cursor, limit = DEFAULT_LIMIT, reviewerId }) {
    const last = readCursor(cursor, [(value) => /^\d{1,6}$/.test(value)])?.[0];
    const reviewer = await selectReviewer(db, actor.organizationId, reviewerId);
    if (!reviewer) throw notFound('The reviewer');
    const rows = await selectVersions(db, actor.organizationId, reviewerId, {
      before: last === undefined ? undefined : Number(last),
      limit: limit + 1,
    });
    const { nextCursor, page } = cutPage(rows, limit, (row) => [String(row.number)]);
    return { versions: page.map((row) => presentVersionLine(row, reviewer.active_version)), nextCursor };
  },
});
