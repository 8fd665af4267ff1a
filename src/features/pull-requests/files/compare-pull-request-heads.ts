/** GET /api/v2/pull-requests/:pullRequestId/heads/compare: what became of each commit between two heads, such as before and after a rebase. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskValue } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { ComparePullRequestHeadsInput, HeadsComparison } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { type FoundPullRequest, selectHeadOf } from '../store/pull-request-store.ts';

export const comparePullRequestHeads = defineOperation({
  name: 'compare-pull-request-heads',
  group: 'Pull requests',
  summary: 'Compare the commits of two heads',
  description: 'Pairs the commits of an earlier head with those of a later one, as `git range-diff` does.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/heads/compare', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ComparePullRequestHeadsInput,
  output: HeadsComparison,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { from, pullRequestId, to }) {
    const pullRequest = await findPullRequest(context, pullRequestId);
    const end = to ?? pullRequest.head_commit ?? notReady();
    const [fromBase, toBase] = [
      await baseOf(context, pullRequest, 'from', from),
      await baseOf(context, pullRequest, 'to', end),
    ];
    const params = { from, to: end, fromBase, toBase };
    const found = await context.code.compare('rangeDiff', pullRequest.repository_id, params, callOf(context));
    return {
      ...{ from, to: end, tooLarge: found.kind === 'too_large' },
      commits: found.kind === 'compared' ? await maskValue(found.commits) : [],
    };
  },
});

/** The commit that the head was compared with. */
async function baseOf(
  context: Context,
  { id, repository_id: repositoryId }: FoundPullRequest,
  path: 'from' | 'to',
  commit: string,
): Promise<string> {
  const head = await selectHeadOf(context.db, id, commit);
  if (!head) throw invalidRequest([{ path, message: 'was never the head of this pull request' }]);
  const base = head.base_commit ?? notReady();
  const pair = { from: base, to: commit };
  return (
    head.merge_base ?? (await context.code.compare('mergeBase', repositoryId, pair, callOf(context))) ?? base
  );
}

function notReady(): never {
  throw new Problem('repository_not_ready', 'The commits of this pull request have not been fetched yet.', {
    retryAfterSeconds: 5,
  });
}
