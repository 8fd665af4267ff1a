/** POST /api/v2/pull-requests/:pullRequestId/discussions: comments on lines of a file, or on a whole file. */
import { defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { findPullRequest, withPullRequest } from '../pull-requests/index.ts';
import { addDiscussion } from './add-discussion.ts';
import { Discussion, OpenDiscussionInput } from './contract.ts';
import { readDiscussions } from './read-discussions.ts';
import { readPlace } from './read-place.ts';

interface Prepared {
  place: Awaited<ReturnType<typeof readPlace>>;
  body: string;
}

export const openDiscussion = defineOperation({
  name: 'open-discussion',
  group: 'Reviews',
  summary: 'Open a discussion on a file of a pull request',
  description: 'On a code host, the comment is posted there too, with the name of the person.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/discussions', status: 201 },
  accepts: ['session'],
  role: 'member',
  idempotent: true,
  input: OpenDiscussionInput,
  output: Discussion,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  // Before the transaction begins, because code is read.
  async prepare(context, input) {
    const seen = await findPullRequest(context, input.pullRequestId);
    return { place: await readPlace(context, seen, input), body: await maskText(input.body) };
  },
  async run(context, { pullRequestId }, { body, place }: Prepared) {
    const { actor } = context;
    return withPullRequest(context, pullRequestId, async (change) => {
      const author = { kind: 'person', userId: actor.userId, accountId: null, name: actor.userName } as const;
      const { id: discussionId } = await addDiscussion(change, { ...place, author, body });
      const { db } = change;
      const [read] = await readDiscussions({ actor, db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});
