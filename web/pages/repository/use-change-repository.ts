/** Changes a repository and refetches everything that shows it. */
import { useQueryClient } from '@tanstack/react-query';
import { type CallInput, call } from '../../api/client.ts';
import { useToast } from '../../components/toast.tsx';

export function useChangeRepository(repositoryId: string) {
  const client = useQueryClient();
  const toast = useToast();
  return async (change: Omit<CallInput<'change-repository'>, 'repositoryId'>, done: string) => {
    await call('change-repository', { repositoryId, ...change });
    await client.invalidateQueries({ queryKey: ['get-repository', { repositoryId }] });
    void client.invalidateQueries({ queryKey: ['list-repositories'] });
    toast(done);
  };
}
