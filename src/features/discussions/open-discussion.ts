/** POST /api/v2/pull-requests/:pullRequestId/discussions: comments on lines of a file, or on a whole file. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import {
  type FoundPullRequest,
  findPullRequest,
  isOfPullRequest,
  withPullRequest,
} from '../pull-requests/index.ts';
import { addDiscussion } from './add-discussion.ts';
import { Discussion, OpenDiscussionInput } from './contract.ts';
import { readCommentedCode } from './read-commented-code.ts';
import { readDiscussions } from './read-discussions.ts';

export const openDiscussion = defineOperation({
  name: 'open-discussion',
  group: 'Reviews',
  summary: 'Open a discussion on a file of a pull request',
  description: 'On a code host, the comment is posted there too, with the name of the person.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/discussions', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: OpenDiscussionInput,
  output: Discussion,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { actor } = context;
    const seen = await findPullRequest(context, input.pullRequestId);
    const place = await readPlace(context, seen, input);
    const body = await maskText(input.body);
    return withPullRequest(context, seen.id, async (change) => {
      const author = { kind: 'person', userId: actor.userId, accountId: null, name: actor.userName } as const;
      const discussionId = await addDiscussion(change, { ...place, author, body });
      const { db } = change;
      const [read] = await readDiscussions({ actor, db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});

/** The commented lines as they are in the commit; numbers that don't exist there are refused. */
async function readPlace(
  context: Context,
  pullRequest: FoundPullRequest,
  input: z.output<typeof OpenDiscussionInput>,
) {
  const { file, side = 'new', startLine } = input;
  const endLine = input.endLine ?? startLine;
  if (endLine < startLine)
    throw invalidRequest([{ path: 'endLine', message: 'must not be before startLine' }]);
  if (startLine === 0 && endLine > 0)
    throw invalidRequest([{ path: 'endLine', message: 'must be 0 if startLine is 0, the whole file' }]);
  const commit = side === 'old' ? pullRequest.merge_base : (input.commit ?? pullRequest.head_commit);
  if (commit === null) {
    throw new Problem('repository_not_ready', 'The commits of this pull request are still being fetched.', {
      retryAfterSeconds: 5,
    });
  }
  if (side === 'new' && !(await isOfPullRequest(context, pullRequest, commit)))
    throw invalidRequest([{ path: 'commit', message: 'is not a commit of this pull request' }]);
  const { commentedCode, reading } = await readCommentedCode(
    context.code,
    pullRequest.repository_id,
    { commit, file, startLine, endLine },
    callOf(context),
  );
  if (reading.kind === 'no_path')
    throw invalidRequest([{ path: 'file', message: 'is not a file in this commit' }]);
  if (reading.kind === 'not_a_file')
    throw invalidRequest([
      { path: 'file', message: 'is a folder or submodule; comment on a file, or on the whole pull request' },
    ]);
  if (startLine > 0) {
    if (reading.kind !== 'text' || reading.totalLines === null) {
      throw invalidRequest([
        { path: 'startLine', message: 'must be 0: this file has no lines to comment on' },
      ]);
    }
    if (endLine > reading.totalLines) {
      throw invalidRequest([{ path: 'endLine', message: `is beyond the last line (${reading.totalLines})` }]);
    }
  }
  return { file, side, startLine, endLine, commit, commentedCode };
}
