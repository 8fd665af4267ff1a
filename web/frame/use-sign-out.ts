/** Signs out and discards all cached data. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ApiProblem, call } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { useToast } from '../components/toast.tsx';

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  return async () => {
    try {
      await call('sign-out', {}, { renewSession: false });
    } catch (error) {
      const ended = error instanceof ApiProblem && error.status === 401;
      if (!ended) {
        toast((error as Error).message, 'danger');
        return;
      }
    }
    await router.navigate({ to: '/sign-in' });
    client.clear();
    client.setQueryData(sessionQuery.queryKey, null);
  };
}
