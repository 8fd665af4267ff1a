/** Repositories: every repository the person can see, its status, and adding another. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useSession } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, ShowMore } from '../components/page.tsx';
import { isAdmin } from '../frame/navigation.ts';
import { useListKeys } from '../frame/use-list-keys.ts';
import { SearchBox } from '../parts/fields/search-box.tsx';
import { RepositoryRows } from '../parts/repositories/repository-rows.tsx';
import { pauseUntilNext } from '../parts/repositories/repository-state.tsx';
import { AddRepository } from './repositories/add-repository.tsx';
import { NoRepositories } from './repositories/no-repositories.tsx';

const PAGE_LENGTH = 50;

export function RepositoriesPage() {
  const { search = '' } = useSearch({ from: '/signed-in/repositories' });
  const navigate = useNavigate({ from: '/repositories' });
  const [adding, setAdding] = useState(false);
  const list = useListKeys<HTMLUListElement>('repository');
  const found = useInfiniteQuery({
    queryKey: ['list-repositories', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-repositories', { search, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      pauseUntilNext(state.data?.pages.flatMap((page) => page.repositories) ?? []),
  });
  const repositories = found.data?.pages.flatMap((page) => page.repositories) ?? [];
  const isEmpty = found.data !== undefined && repositories.length === 0;
  const add = isAdmin(useSession()) && (
    <Button look="primary" onClick={() => setAdding(true)}>
      Add repository
    </Button>
  );
  return (
    <Page
      title="Repositories"
      lead="Read and search code at any branch, tag or commit."
      actions={found.data && (!isEmpty || search) ? add : undefined}
    >
      {(search !== '' || repositories.length > 0) && (
        <search className="mb-4 block">
          <SearchBox
            name="Filter repositories"
            placeholder="Filter by name"
            maxLength={300}
            search={search}
            onSearch={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
            onLeave={() => list.current?.querySelector<HTMLElement>('[data-list-entry]')?.focus()}
          />
        </search>
      )}
      {found.error && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <LoadingRows />}
      {isEmpty && search === '' && <NoRepositories add={add} />}
      {isEmpty && search !== '' && (
        <EmptyState title="No matching repositories">
          Try another part of the name. Repositories you can’t access aren’t listed.
        </EmptyState>
      )}
      {repositories.length > 0 && (
        <RepositoryRows ref={list} repositories={repositories} busy={found.isPlaceholderData} />
      )}
      <ShowMore pages={found} />
      <AddRepository open={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}
