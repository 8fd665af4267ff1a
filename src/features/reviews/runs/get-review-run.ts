/** GET /api/v2/review-runs/:runId: one review with everything that was found, looked at and left out. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { selectRunUsage } from '../../models/index.ts';
import { findPullRequest } from '../../pull-requests/index.ts';
import { selectRepositoriesById } from '../../repositories/index.ts';
import { GetReviewRunInput, ReviewRunDetails } from '../contract.ts';
import { presentCandidate, presentRun } from './present-review.ts';
import { selectCandidates, selectRun } from './review-run-store.ts';

export const getReviewRun = defineOperation({
  name: 'get-review-run',
  group: 'Reviews',
  summary: 'Get a review',
  description: 'With every candidate and what became of it, and the files and checks that were left out.',
  http: { method: 'GET', path: '/api/v2/review-runs/:runId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewRunInput,
  output: ReviewRunDetails,
  problems: ['not_found'],
  async run(context, { runId }) {
    const { actor, db } = context;
    const run = await selectRun(db, actor.organizationId, runId);
    if (!run) throw notFound('The review');
    // Not found if the caller can't see its repository.
    await findPullRequest(context, run.pull_request_id);
    const rows = await selectCandidates(db, run.id);
    const others = rows.flatMap(({ evidence }) => evidence.flatMap(({ repository }) => repository?.id ?? []));
    const visible = new Set((await selectRepositoriesById(db, actor, others)).map(({ id }) => id));
    const candidates = rows.map((row) => presentCandidate(row, (id) => visible.has(id)));
    const findings = candidates.filter(({ fate }) => fate === 'finding').length;
    return {
      ...presentRun({ ...run, findings }),
      pullRequestId: run.pull_request_id,
      candidates,
      notReviewed: run.not_reviewed,
      moreFiles: run.more_files,
      modelUsage: await selectRunUsage(db, actor.organizationId, run.id),
      checks: run.checks.map(({ reviewer: _, ...check }) => check),
    };
  },
});
