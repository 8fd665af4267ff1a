/** Reading from the service with a cache, and optimistic changes. */
import {
  type InfiniteData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiProblem, type CallInput, type CallOutput, call } from './client.ts';
import type { OperationName } from './operations.ts';

/** One query per operation and input. */
export function operationQuery<Name extends OperationName>(name: Name, input: CallInput<Name>) {
  return queryOptions({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });
}

const ASK_AGAIN_MS = 2000;

/** Nothing can be shown yet because the service is still fetching or indexing a commit. */
export function isWaiting({ data, failureReason }: { data: unknown; failureReason: unknown }): boolean {
  return data === undefined && isNotReady(failureReason);
}

function isNotReady(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'repository_not_ready';
}

/** For queries about a commit that may not be fetched or indexed yet: asks again until it is. `isWaiting` tells that meanwhile. */
export const untilReady = {
  retry: (failures: number, error: Error) =>
    isNotReady(error) || (failures < 2 && !(error instanceof ApiProblem && error.status < 500)),
  retryDelay: ASK_AGAIN_MS,
};

/** Operations whose reply is one page of a list. */
type PagedName = {
  [Name in OperationName]: CallOutput<Name> extends { nextCursor: string | null } ? Name : never;
}[OperationName];

const PAGE_LENGTH = 50;

/** The pages of a list that have been loaded so far. */
export function useOperationPages<Name extends PagedName>(
  name: Name,
  input: Omit<CallInput<Name>, 'cursor' | 'limit'>,
) {
  return useInfiniteQuery({
    queryKey: [name, 'pages', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...input, cursor: pageParam, limit: PAGE_LENGTH } as CallInput<Name>, { signal }),
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor ?? undefined,
  });
}

/** The signed-in user, or null. If a session ends while the page is open, it is renewed, so that the page stays. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  async queryFn({ client, queryKey, signal }) {
    const renewSession = Boolean(client.getQueryData(queryKey));
    try {
      return await call('get-session', {}, { signal, renewSession });
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The session on pages that are shown only to people who signed in. */
export function useSession(): CallOutput<'get-session'> {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('This page needs a session.');
  return data;
}

/**
 * Changes something and shows the change immediately; when the service refuses, the previous state is restored.
 * `expect` turns the current reply of `list`, or each page of it, into the expected one.
 */
export function useOptimistic<Name extends OperationName, List extends OperationName>(options: {
  operation: Name;
  list: List;
  expect(before: CallOutput<List>, input: CallInput<Name>): CallOutput<List>;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<Name>) => call(options.operation, input),
    async onMutate(input) {
      await client.cancelQueries({ queryKey: [options.list] });
      const before = client.getQueriesData<Cached<CallOutput<List>>>({ queryKey: [options.list] });
      client.setQueriesData<Cached<CallOutput<List>>>({ queryKey: [options.list] }, (shown) => {
        if (shown === undefined) return shown;
        if (!isPaged(shown)) return options.expect(shown as CallOutput<List>, input);
        return { ...shown, pages: shown.pages.map((page) => options.expect(page, input)) };
      });
      return before;
    },
    onError(_error, _input, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [options.list] }),
  });
}

type Cached<Reply> = Reply | InfiniteData<Reply>;

function isPaged<Reply>(cached: Cached<Reply>): cached is InfiniteData<Reply> {
  return typeof cached === 'object' && cached !== null && 'pages' in cached;
}
