/**
 * GET /api/v2/review-runs/:runId/untested-exports: changed exports that no test mentions. Looked up when the page of a review asks:
 * reviews would take longer for what most people never open.
 */
import { callOf, defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { selectPathsToSkip } from '../../organization-settings/index.ts';
import { findPullRequest } from '../../pull-requests/index.ts';
import { GetReviewRunInput, UntestedExports } from '../contract.ts';
import { selectRun } from './review-run-store.ts';

const CHECK = 'untested_export';

export const listUntestedExports = defineOperation({
  name: 'list-untested-exports',
  group: 'Reviews',
  summary: 'List changed exports without tests',
  description:
    'Functions, methods and classes that the reviewed change touches and no test mentions. None if the review did not look for them.',
  http: { method: 'GET', path: '/api/v2/review-runs/:runId/untested-exports', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewRunInput,
  output: UntestedExports,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { runId }) {
    const { actor, code, db } = context;
    const { organizationId } = actor;
    const run = await selectRun(db, organizationId, runId);
    if (!run) throw notFound('The review');
    // Not found if the caller can't see its repository.
    const { repository_id: repositoryId } = await findPullRequest(context, run.pull_request_id);
    if (run.state !== 'done' || !run.checks.some(({ name }) => name === CHECK)) return { places: [] };
    const { checks } = await code.review(
      repositoryId,
      {
        ...{ from: run.merge_base, to: run.head_commit, listsPlaces: true },
        ...{ reviewers: ['tests_missing'], switchedOn: [], ruleReviewers: [] },
        excludedPaths: await selectPathsToSkip(db, { organizationId, repositoryId }),
      },
      callOf(context),
    );
    return { places: checks.find(({ name }) => name === CHECK)?.places ?? [] };
  },
});
