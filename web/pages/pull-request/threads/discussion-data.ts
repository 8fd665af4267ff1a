/** The discussions of a pull request. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CallOutput } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';

export type Discussion = CallOutput<'list-discussions'>['discussions'][number];
export type DiscussionComment = Discussion['comments'][number];
export type DiscussionStatus = Discussion['status'];

export const discussionsQuery = (pullRequestId: string) =>
  queryOptions({ ...operationQuery('list-discussions', { pullRequestId }), staleTime: 60_000 });

/** Shows a new or changed discussion before its event arrives. */
export function showDiscussion(client: QueryClient, pullRequestId: string, changed: Discussion): void {
  client.setQueryData(discussionsQuery(pullRequestId).queryKey, (before) => {
    if (!before) return before;
    const isKnown = before.discussions.some(({ id }) => id === changed.id);
    return {
      ...before,
      discussions: isKnown
        ? before.discussions.map((each) => (each.id === changed.id ? changed : each))
        : [...before.discussions, changed],
    };
  });
}

/** Judged as possibly answered by the code: a person confirms it. */
export function isMaybe({ judgement, status }: Discussion): boolean {
  return status === 'open' && judgement?.verdict === 'maybe';
}
