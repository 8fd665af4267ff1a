/** The code owners of what a pull request changes. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type CallOutput, call } from '../../../api/client.ts';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export type Owners = CallOutput<'get-pull-request-owners'>;

const WHILE_READ_MS = 3_000;
const MAX_DOUBLINGS = 4;

/** Read again after each change of the pull request. */
export function useOwners({ id: pullRequestId, lastEvent }: PullRequest, enabled = true): Owners | undefined {
  const { data } = useQuery({
    queryKey: ['get-pull-request-owners', { pullRequestId }, lastEvent],
    queryFn: ({ signal }) => call('get-pull-request-owners', { pullRequestId }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.known === false
        ? WHILE_READ_MS * 2 ** Math.min(state.dataUpdateCount, MAX_DOUBLINGS)
        : false,
    enabled,
  });
  return data;
}

export interface OwnedPattern {
  file: string;
  line: number;
  pattern: string;
}

/** The patterns that each member and team owns, by their ID. */
export function useOwnedBy(pullRequest: PullRequest): ReadonlyMap<string, OwnedPattern[]> {
  const { requestedReviewers, state, verdicts } = pullRequest;
  const isActive = state === 'open' || state === 'draft';
  const data = useOwners(pullRequest, isActive && requestedReviewers.length + verdicts.length > 0);
  return useMemo(() => {
    const found = new Map<string, OwnedPattern[]>();
    for (const { line, owners, pattern } of data?.owned ?? [])
      for (const { id } of owners)
        if (id !== null)
          found.set(id, [...(found.get(id) ?? []), { file: data?.file ?? 'CODEOWNERS', line, pattern }]);
    return found;
  }, [data]);
}
