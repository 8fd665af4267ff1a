/** GET /api/v2/pull-requests/:pullRequestId/events: its events as server-sent events. */
import { defineOperation } from '../../../context.ts';
import { readSince, streamEvents } from '../../events/index.ts';
import { PullRequestEvent, StreamPullRequestChangesInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { selectPullRequest } from '../store/pull-request-store.ts';
import { OWN_NEWS, ownTopic, REACTION_NEWS, reactionsTopic } from './hints.ts';

export const streamPullRequestChanges = defineOperation({
  name: 'stream-pull-request-changes',
  group: 'Pull requests',
  summary: 'Follow changes to a pull request',
  description:
    'Sends server-sent events with the event number as `id` and the event kind as `event`. A browser that reconnects resumes after the last event it received. Two events have no number of their own: `pending_comments_changed` says that your pending comments changed on another device, and `reactions_changed` that someone reacted to a comment.',
  http: {
    method: 'GET',
    path: '/api/v2/pull-requests/:pullRequestId/events',
    status: 200,
    eventStream: true,
  },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: StreamPullRequestChangesInput,
  output: PullRequestEvent,
  problems: ['not_found'],
  async run(context, { pullRequestId, since: given }) {
    const { actor, db } = context;
    const { id, last_event: lastEvent } = await findPullRequest(context, pullRequestId);
    const since = readSince({ noun: 'pull request', lastEvent }, given);
    return streamEvents(
      context,
      { subjectId: id, since },
      {
        isLast: () => false,
        ...(actor.kind === 'session' && {
          hints: [
            { topic: ownTopic(actor, id), kind: OWN_NEWS },
            { topic: reactionsTopic(id), kind: REACTION_NEWS },
          ],
        }),
        // The repository may have been hidden from the caller, or removed.
        stillAllowed: async () =>
          (await context.stillAllowed()) && (await selectPullRequest(db, actor, id)) !== undefined,
      },
    ) as never;
  },
});
