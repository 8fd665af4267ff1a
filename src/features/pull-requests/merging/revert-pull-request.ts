/** POST /api/v2/pull-requests/:pullRequestId/revert: opens a pull request that undoes a merged one of plain git. */
import { callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { findRepository } from '../../repositories/index.ts';
import { PullRequest, RevertPullRequestInput } from '../contract.ts';
import { openPlainGit } from '../plain-git/open-plain-git.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { selectSigner } from '../store/merge-store.ts';
import { selectNewestRevert } from '../store/pull-request-parts-store.ts';
import { pushRevert } from './push-revert.ts';
import { revertRange, revertTitle } from './revert-range.ts';

export const revertPullRequest = defineOperation({
  name: 'revert-pull-request',
  group: 'Pull requests',
  summary: 'Revert a pull request',
  description:
    'Makes one commit that undoes everything the merged pull request brought to its base branch, pushes it to a new branch, and opens a pull request for it. If a revert is open already, that one is returned. Pull requests of a code host are reverted there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/revert', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RevertPullRequestInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId }) {
    const { actor, clock, code, db } = context;
    const found = await findPullRequest(context, pullRequestId);
    if (found.origin === 'host') {
      throw new Problem('conflict', `Revert this pull request on its code host: ${found.url}`);
    }
    if (found.state !== 'merged') throw new Problem('conflict', 'Only merged pull requests can be reverted.');
    const before = await selectNewestRevert(db, found.id);
    if (before?.state === 'open' || before?.state === 'draft') return readPullRequest(db, actor, before.id);
    const range = await revertRange(db, found);
    if (range === null) throw new Problem('conflict', 'It is not known which commits were merged.');
    const author = await selectSigner(db, actor.userId);
    if (!author) throw new Error('Who reverts has no account.');
    // A client that disconnects doesn't interrupt a push.
    const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
    const services = { db, code, call, now: clock.now() };
    const head = await pushRevert(services, found, range, { ...author, userId: actor.userId });
    const { id, topics } = await openPlainGit(
      services,
      {
        source: actor,
        author: { kind: 'person', userId: actor.userId, accountId: null, name: actor.userName },
        organizationId: actor.organizationId,
      },
      await findRepository(context, found.repository_id),
      {
        ...{
          head,
          base: found.base_branch,
          title: revertTitle(found),
          revertsId: found.id,
          skipIfOpen: true,
        },
        description: `Reverts #${found.number}.`,
      },
    );
    for (const topic of topics) context.afterCommit(() => context.feed.announce(topic));
    return readPullRequest(db, actor, id);
  },
});

const MAX_MS = 3 * 60_000;
