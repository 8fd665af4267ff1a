/** GET /api/v2/pull-requests/:pullRequestId/owners: who owns what it changes, and whose approval is missing. */
import { defineOperation } from '../../../context.ts';
import { GetPullRequestOwnersInput, PullRequestOwnersView } from '../contract.ts';
import { approvalByOwners } from '../ownership/missing-owners.ts';
import { selectOwners } from '../ownership/select-owners.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { selectApprovers } from './review-settings-store.ts';

export const getPullRequestOwners = defineOperation({
  name: 'get-pull-request-owners',
  group: 'Pull requests',
  summary: 'Get the code owners of a pull request',
  description:
    'From CODEOWNERS at the base commit, by the rules of the code host; plain git has those of GitHub. Approvals of the newest head count.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/owners', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetPullRequestOwnersInput,
  output: PullRequestOwnersView,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const { db } = context;
    const pullRequest = await findPullRequest(context, pullRequestId);
    const owners = await selectOwners(db, pullRequestId);
    const approverIds = new Set(await selectApprovers(db, pullRequest));
    const missing = new Map(
      approvalByOwners(owners, approverIds).missing.map((each) => [each.owned, each.missing]),
    );
    return {
      known: owners.isCurrent,
      file: owners.file,
      problems: owners.problems,
      owned: owners.owned.map((each) => ({
        section: each.section,
        line: each.line,
        pattern: each.pattern,
        paths: each.paths,
        owners: each.owners.map(({ id, kind, memberIds, name }) => ({
          id,
          kind,
          name,
          approved: memberIds.some((userId) => approverIds.has(userId)),
        })),
        required: each.required,
        missing: missing.get(each) ?? 0,
      })),
    };
  },
});
