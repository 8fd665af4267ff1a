/** The labels that were used lately: in one repository, or in all that this person sees. */
import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.ts';

export const labelsQuery = (repositoryId: string | undefined) =>
  queryOptions({
    ...operationQuery('list-labels', { ...(repositoryId && { repositoryId }) }),
    staleTime: 60_000,
  });
