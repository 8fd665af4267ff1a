/** Keeps the page up to date: each event refetches what it changed. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PullRequestEventKind } from '../../../src/features/pull-requests/contract.ts';
import { addressOf } from '../../api/client.ts';
import { useSession } from '../../api/queries.ts';
import { useLiveEvents } from '../../api/use-live-events.ts';
import {
  type PullRequest,
  type PullRequestEvent,
  pullRequestQuery,
  refetchLists,
} from '../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../parts/pull-request/threads/discussion-data.ts';
import { pendingQuery } from '../../parts/pull-request/threads/pending-data.ts';

const KINDS = Object.keys({
  pull_request_opened: true,
  pull_request_edited: true,
  pull_request_labels_changed: true,
  pull_request_assignees_changed: true,
  pull_request_pushed: true,
  pull_request_state_changed: true,
  pull_request_review_requested: true,
  pull_request_reviewed: true,
  pull_request_review_dismissed: true,
  pull_request_approval_kept: true,
  pull_request_conflicted: true,
  pull_request_conflicts_resolved: true,
  pull_request_statuses_changed: true,
  pull_request_merge_when_ready: true,
  pull_request_merge_started: true,
  pull_request_merge_failed: true,
  pull_request_branch_deleted: true,
  pull_request_branch_restored: true,
  pull_request_secret_left: true,
  pull_request_commented: true,
  discussion_opened: true,
  discussion_replied: true,
  discussion_edited: true,
  discussion_status_changed: true,
} satisfies Record<PullRequestEventKind, true>);

/** The first is told only to this person, on all their devices. */
const HINTS = ['pending_comments_changed', 'reactions_changed'];

/** With the name of the person, and without. */
const NEWS: Partial<Record<string, [string, string]>> = {
  pull_request_pushed: ['pushed commits.', 'New commits were pushed.'],
  pull_request_reviewed: ['reviewed the pull request.', 'The pull request was reviewed.'],
  pull_request_review_dismissed: ['dismissed a review.', 'A review was dismissed.'],
  pull_request_conflicted: ['found conflicts.', 'The branch has conflicts.'],
  pull_request_conflicts_resolved: ['resolved the conflicts.', 'The conflicts are resolved.'],
  pull_request_merge_when_ready: ['changed merge when ready.', 'Merge when ready was turned off.'],
  pull_request_merge_started: ['is merging the pull request.', 'The pull request is being merged.'],
  pull_request_merge_failed: ['could not merge the pull request.', 'The merge failed.'],
  pull_request_commented: ['commented.', 'There is a new comment.'],
  discussion_opened: ['started a discussion.', 'There is a new discussion.'],
  discussion_replied: ['replied.', 'There is a new reply.'],
};

function newsOfState({ from, to }: PullRequestEvent['data']): [string, string] {
  if (to === 'merged') return ['merged the pull request.', 'Merged.'];
  if (to === 'closed') return ['closed the pull request.', 'Closed.'];
  if (to === 'draft') return ['converted the pull request to a draft.', 'Converted to a draft.'];
  return from === 'draft'
    ? ['marked the pull request as ready for review.', 'Ready for review.']
    : ['reopened the pull request.', 'Reopened.'];
}

export interface LivePullRequest {
  connection: 'live' | 'waiting';
  /** Another person's latest action, for screen readers. */
  news: string;
}

/** `updates` are the commits that this person made by updating the branch. */
export function useLivePullRequest(
  { id, lastEvent }: PullRequest,
  updates: readonly string[],
): LivePullRequest {
  const client = useQueryClient();
  const { user } = useSession();
  const [news, setNews] = useState('');
  const connection = useLiveEvents<PullRequestEvent>({
    path: addressOf('stream-pull-request-changes', { pullRequestId: id }),
    kinds: KINDS,
    since: lastEvent,
    onEvent({ actor, data, kind }) {
      const [did, happened] = kind === 'pull_request_state_changed' ? newsOfState(data) : (NEWS[kind] ?? []);
      const isOwn = actor.id === user.id || updates.includes(String(data.headCommit));
      if (happened && !isOwn) setNews(actor.name === null ? happened : `${actor.name} ${did}`);
      void client.invalidateQueries(pullRequestQuery(id));
      // A push moves discussions too, and starts a review; reviews show the status of their findings.
      const isAboutDiscussions =
        kind.startsWith('discussion_') || kind === 'pull_request_pushed' || kind === 'pull_request_reviewed';
      if (isAboutDiscussions) {
        // Places of pending comments move with a push, and their discussions can be deleted.
        void client.invalidateQueries(pendingQuery(id));
        void client.invalidateQueries(discussionsQuery(id));
        for (const name of ['list-review-runs', 'get-review-run'])
          void client.invalidateQueries({ queryKey: [name] });
      }
      if (kind === 'pull_request_pushed') {
        void client.invalidateQueries({ queryKey: ['list-pull-request-commits'] });
        // Files of the newest head are fetched when they are shown: what is being read stays.
        void client.invalidateQueries({ queryKey: ['list-pull-request-files'], refetchType: 'none' });
      }
      refetchLists(client, id);
    },
    hints: HINTS,
    onHint(kind) {
      if (kind === 'pending_comments_changed') {
        void client.invalidateQueries(pendingQuery(id));
        return;
      }
      void client.invalidateQueries(pullRequestQuery(id));
      void client.invalidateQueries(discussionsQuery(id));
    },
    async check() {
      await client.refetchQueries(pullRequestQuery(id));
      const { data, error } = client.getQueryState(pullRequestQuery(id).queryKey) ?? {};
      if (error) return 'later';
      return data ? 'open' : 'never';
    },
  });
  return { connection, news };
}
