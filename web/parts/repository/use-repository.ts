/** One repository, refetched each second while work on it is in progress. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.ts';
import { pauseUntilNext } from '../repositories/repository-state.tsx';

export function useRepository(repositoryId: string) {
  return useQuery({
    ...operationQuery('get-repository', { repositoryId }),
    refetchInterval: ({ state }) => (state.data ? pauseUntilNext([state.data]) : false),
  });
}
