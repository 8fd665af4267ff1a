/** The queries of the plan page. */
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { reviewCountsQuery } from '../../frame/count-queries.ts';

export type Plan = CallOutput<'get-plan'>;
export type PlanEvent = CallOutput<'list-plan-activity'>['events'][number];
export type Version = Plan['versions'][number];

/** The text of one version: it never changes. */
export interface PlanText {
  version: number;
  versionId: string;
  content: string;
  structure: Plan['structure'];
}

export const planQuery = (seriesId: string) => operationQuery('get-plan', { seriesId });

/** The newest version arrives with the plan and stays cached when a newer one replaces it. */
export function usePlanText(plan: Plan, version: number) {
  const { content, seriesId, structure, versionId } = plan;
  return useQuery({
    queryKey: ['plan-text', seriesId, version],
    queryFn: ({ signal }): Promise<PlanText> => call('get-plan-version', { seriesId, version }, { signal }),
    initialData: plan.version === version ? { version, versionId, content, structure } : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const differenceQuery = (seriesId: string, from: number, to: number) =>
  queryOptions({
    ...operationQuery('compare-plan-versions', { seriesId, from, to }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const activityQuery = (seriesId: string) =>
  infiniteQueryOptions({
    queryKey: ['list-plan-activity', { seriesId }],
    queryFn: ({ pageParam, signal }) =>
      call('list-plan-activity', { seriesId, cursor: pageParam, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const overlapQuery = (seriesId: string) => operationQuery('list-overlapping-plans', { seriesId });

export const membersQuery = queryOptions({
  ...operationQuery('list-members', { limit: 200 }),
  staleTime: 60_000,
});

/** An action returns the updated plan, without the fields that only the page's own query has. */
export function useShowPlan(): (answer: CallOutput<'approve-plan'>) => void {
  const client = useQueryClient();
  return useCallback(
    (answer) => {
      client.setQueryData(
        planQuery(answer.seriesId).queryKey,
        (before) => before && { ...before, ...answer },
      );
      refetchPlan(client, answer.seriesId);
    },
    [client],
  );
}

export function refetchPlan(client: QueryClient, seriesId: string): void {
  void client.invalidateQueries(planQuery(seriesId));
  void client.invalidateQueries({ queryKey: activityQuery(seriesId).queryKey });
  void client.invalidateQueries({ queryKey: ['list-plans'] });
  void client.invalidateQueries(reviewCountsQuery);
}
