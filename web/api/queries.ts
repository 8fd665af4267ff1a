/** What is read from the service, and kept until something changes it. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, type CallInput, type CallOutput, call } from './client.ts';
import type { OperationName } from './operations.ts';

/** One query an operation and its input. */
export function operationQuery<Name extends OperationName>(name: Name, input: CallInput<Name>) {
  return queryOptions({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });
}

/** Who is signed in; null when nobody is. A session that was there and has ended is renewed, so that the page stays. */
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
 * Changes something and shows the change at once; when the service refuses, what was shown before comes back.
 * `expect` turns the present answer of `list` into the one that is expected.
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
      const before = client.getQueriesData<CallOutput<List>>({ queryKey: [options.list] });
      client.setQueriesData<CallOutput<List>>({ queryKey: [options.list] }, (shown) =>
        shown === undefined ? shown : options.expect(shown, input),
      );
      return before;
    },
    onError(_error, _input, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
    },
    onSettled: () => client.invalidateQueries({ queryKey: [options.list] }),
  });
}
