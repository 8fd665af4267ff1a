/** Refetches a repository's queries as soon as it changes, such as after a push. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ENDPOINTS } from '../../api/operations.ts';

/** The queries that a push can change. */
const SHOWN = new Set<unknown>(['get-repository', 'list-refs', 'list-tree', 'read-file', 'search-files']);

/** A hidden page closes its connection, because browsers allow only a few per site. */
export function useRepositoryEvents(repositoryId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource | undefined;
    const refetch = () =>
      void client.invalidateQueries({ predicate: ({ queryKey }) => SHOWN.has(queryKey[0]) });
    const open = () => {
      const path = ENDPOINTS['stream-repository-changes'].path.replace(':repositoryId', repositoryId);
      source = new EventSource(path);
      source.addEventListener('repository_changed', refetch);
    };
    const close = () => {
      source?.close();
      source = undefined;
    };
    const onVisibilityChange = () => {
      close();
      if (document.hidden) return;
      refetch();
      open();
    };
    if (!document.hidden) open();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      close();
    };
  }, [client, repositoryId]);
}
