/** One repository, asked for each second while something is under way with it. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.ts';
import { pauseUntilNext } from '../repositories/repository-state.tsx';

export function useRepository(repositoryId: string) {
  return useQuery({
    ...operationQuery('get-repository', { repositoryId }),
    refetchInterval: ({ state }) => (state.data ? pauseUntilNext([state.data]) : false),
  });
}
