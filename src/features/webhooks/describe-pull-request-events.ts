/** Describes events of pull requests for deliveries: the pull request, and the beginning of the comment if there is one. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import type { DescribedEvent } from './delivery-payload.ts';
import { selectEventPullRequests, selectPullRequestComments } from './pull-request-subject-store.ts';

export async function describePullRequestEvents(
  db: Db,
  events: OutboxEvent[],
  baseUrl: string,
): Promise<Map<OutboxEvent, DescribedEvent>> {
  const found = await selectEventPullRequests(db, unique(events.map((event) => event.subjectId)));
  const comments = await selectPullRequestComments(
    db,
    unique(events.flatMap((event) => commentOf(event) ?? [])),
  );
  return new Map(
    events.flatMap((event): [OutboxEvent, DescribedEvent][] => {
      const pullRequest = found.get(event.subjectId);
      if (!pullRequest) return [];
      const described = {
        type: typeOf(event.kind),
        subject: { pullRequest: { ...pullRequest, url: `${baseUrl}/pull-requests/${pullRequest.id}` } },
        data: { ...event.data, ...comments.get(commentOf(event) ?? '') },
      };
      return [[event, described]];
    }),
  );
}

function commentOf({ data }: OutboxEvent): string | undefined {
  return typeof data.commentId === 'string' ? data.commentId : undefined;
}

/** `pull_request.opened`, `discussion.replied`. */
function typeOf(kind: string): string {
  return kind.replace(/^(pull_request|discussion)_/, '$1.');
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
