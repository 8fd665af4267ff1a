/** GET /api/v2/reviewers/:reviewerId/versions/:version: what a version of a custom reviewer says. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { GetReviewerVersionInput, ReviewerVersion } from '../contract.ts';
import { selectScopes } from '../store/reviewer-list-store.ts';
import { selectReviewer, selectVersion } from '../store/reviewer-store.ts';
import { presentVersion } from './present-reviewer.ts';

export const getReviewerVersion = defineOperation({
  name: 'get-reviewer-version',
  group: 'Reviewers',
  summary: 'Get a version of a reviewer',
  http: { method: 'GET', path: '/api/v2/reviewers/:reviewerId/versions/:version', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewerVersionInput,
  output: ReviewerVersion,
  problems: ['not_found'],
  async run({ actor, db }, { reviewerId, version }) {
    const reviewer = await selectReviewer(db, actor.organizationId, reviewerId);
    if (!reviewer) throw notFound('The reviewer');
    const row = await selectVersion(db, actor.organizationId, reviewerId, version);
    if (!row) throw notFound('The version');
    const scopes = await selectScopes(db, actor, [{ id: reviewerId, version }]);
    return presentVersion(row, scopes, reviewer.active_version);
  },
});
