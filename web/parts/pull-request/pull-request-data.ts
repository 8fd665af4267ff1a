/** The queries of the pull request page. */
import { infiniteQueryOptions, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery, untilReady } from '../../api/queries.ts';
import { pullRequestCountsQuery } from '../../frame/count-queries.ts';

export type PullRequest = CallOutput<'get-pull-request'>;
export type PullRequestEvent = CallOutput<'list-pull-request-activity'>['events'][number];
export type PullRequestComment = PullRequest['conversation'][number];
export type Author = PullRequest['author'];
export type Sending = PullRequestComment['sending'];
export type Head = PullRequest['heads'][number];
export type Files = CallOutput<'list-pull-request-files'>;

/** Two commits that are compared; default: what the pull request changes. */
export interface Range {
  from?: string;
  to?: string;
}

export const pullRequestQuery = (pullRequestId: string) =>
  operationQuery('get-pull-request', { pullRequestId });

export const commitsQuery = (pullRequestId: string) =>
  queryOptions({ ...operationQuery('list-pull-request-commits', { pullRequestId }), ...untilReady });

export const filesQuery = (pullRequestId: string, range: Range) =>
  queryOptions({ ...operationQuery('list-pull-request-files', { pullRequestId, ...range }), ...untilReady });

export const activityQuery = (pullRequestId: string) =>
  infiniteQueryOptions({
    queryKey: ['list-pull-request-activity', { pullRequestId }],
    queryFn: ({ pageParam, signal }) =>
      call('list-pull-request-activity', { pullRequestId, cursor: pageParam, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const membersQuery = queryOptions({
  ...operationQuery('list-members', { limit: 200 }),
  staleTime: 60_000,
});

/** An action returns the updated pull request. */
export function useShowPullRequest(): (answer: PullRequest) => void {
  const client = useQueryClient();
  return useCallback(
    (answer) => {
      client.setQueryData(pullRequestQuery(answer.id).queryKey, answer);
      refetchLists(client, answer.id);
    },
    [client],
  );
}

/** Refreshes other queries that show something of the pull request. */
export function refetchLists(client: QueryClient, pullRequestId: string): void {
  void client.invalidateQueries({ queryKey: activityQuery(pullRequestId).queryKey });
  void client.invalidateQueries({ queryKey: ['list-pull-requests'] });
  void client.invalidateQueries(pullRequestCountsQuery);
}

export const shortCommit = (commit: string) => commit.slice(0, 7);
