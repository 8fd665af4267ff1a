/** POST /api/v2/pull-requests: opens a pull request between two branches of a repository without a code host. */
import { callOf, defineOperation } from '../../../context.ts';
import { findNamedRepository } from '../../repositories/index.ts';
import { OpenedPullRequest, OpenPullRequestInput } from '../contract.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { openPlainGit } from './open-plain-git.ts';

export const openPullRequest = defineOperation({
  name: 'open-pull-request',
  group: 'Pull requests',
  summary: 'Open a pull request',
  description:
    'For repositories that aren’t connected to a code host: both branches must have been pushed. Later pushes update the pull request, and it counts as merged once its changes are in the base branch.',
  http: { method: 'POST', path: '/api/v2/pull-requests', status: 201 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: OpenPullRequestInput,
  output: OpenedPullRequest,
  problems: ['not_found', 'ambiguous_repository', 'ref_not_found', 'conflict', 'repository_not_ready'],
  async run(context, input) {
    const { actor, clock, code, db } = context;
    const repository = await findNamedRepository(context, input.repository);
    const author = {
      kind: actor.kind === 'session' ? ('person' as const) : ('agent' as const),
      userId: actor.userId,
      accountId: null,
      name: actor.userName,
    };
    const { alreadyOpen, id, topics } = await openPlainGit(
      { db, code, call: callOf(context), now: clock.now() },
      { source: actor, author, organizationId: actor.organizationId },
      repository,
      input,
    );
    for (const topic of topics) context.afterCommit(() => context.feed.announce(topic));
    const read = await readPullRequest(db, actor, id);
    return input.skipIfOpen ? { ...read, alreadyOpen } : read;
  },
});
