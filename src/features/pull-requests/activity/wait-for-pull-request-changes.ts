/** GET /api/v2/pull-requests/:pullRequestId/changes: long polling for its events. */
import { defineOperation } from '../../../context.ts';
import { isOwn, presentEvent, readSince, waitForEvents } from '../../events/index.ts';
import { PullRequestChanges, WaitForPullRequestChangesInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';

export const waitForPullRequestChanges = defineOperation({
  name: 'wait-for-pull-request-changes',
  group: 'Pull requests',
  summary: 'Wait for changes to a pull request',
  description:
    'Returns immediately if there are events after `since`. Otherwise waits for the next event and returns no events if the wait times out.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/changes', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: WaitForPullRequestChangesInput,
  output: PullRequestChanges,
  problems: ['not_found'],
  async run(context, { pullRequestId, since: given, waitSeconds }) {
    const { id, last_event: lastEvent } = await findPullRequest(context, pullRequestId);
    const since = readSince({ noun: 'pull request', lastEvent }, given);
    const events = await waitForEvents(context, { subjectId: id, since }, waitSeconds);
    // Read again: not found if the repository was hidden from the caller during the wait.
    const now = await findPullRequest(context, pullRequestId);
    return {
      events: events.map((event) => ({ ...presentEvent(event), own: isOwn(event, context.actor) })),
      cursor: events.length > 0 ? Number(events.at(-1)!.number) : since,
      state: now.state,
      openDiscussions: now.open_discussion_count,
    };
  },
});
