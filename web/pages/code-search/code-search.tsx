/** Repository → Search: lines of code, files by name, or commits; the address holds the whole query. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useListKeys } from '../../frame/use-list-keys.ts';
import type { CodeSearch } from '../../page-search.ts';
import { PathNotFound } from '../../parts/code/path-not-found.tsx';
import { RefPicker } from '../../parts/code/ref-picker.tsx';
import { FoundCode } from '../../parts/code-search/found-code.tsx';
import { FoundCommits } from '../../parts/code-search/found-commits.tsx';
import { SearchForm } from '../../parts/code-search/search-form.tsx';
import { SearchHelp } from '../../parts/code-search/search-help.tsx';
import {
  codePagesQuery,
  commitPagesQuery,
  fileSearchQuery,
  queryProblem,
} from '../../parts/code-search/search-query.ts';
import type { Repository } from '../../parts/repositories/repository-state.tsx';
import { RepositoryFrame } from '../../parts/repository/repository-frame.tsx';
import { FoundFiles } from './found-files.tsx';

export function CodeSearchPage() {
  const { repositoryId } = useParams({ from: '/signed-in/repositories/$repositoryId/search' });
  const search = useSearch({ from: '/signed-in/repositories/$repositoryId/search' });
  return (
    <RepositoryFrame
      repositoryId={repositoryId}
      title={search.query ? `Search for ${search.query}` : 'Search'}
      needsCode
    >
      {(repository) => <Search repository={repository} search={search} />}
    </RepositoryFrame>
  );
}

function Search({ repository, search }: { repository: Repository; search: CodeSearch }) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId/search' });
  const list = useListKeys<HTMLDivElement>('match');
  const { mode, query, ref } = search;
  const explain = (error: Error, onRetry: () => void) =>
    // Shown at the field.
    queryProblem(error) ? null : (
      <PathNotFound error={error} repository={repository} at={ref} onRetry={onRetry} />
    );
  return (
    <>
      <SearchForm
        repository={repository}
        search={search}
        problem={useProblem(repository, search)}
        picker={
          <RefPicker
            repository={repository}
            current={ref}
            onPick={(picked) => {
              const { ref: _before, ...others } = search;
              void navigate({ search: { ...others, ...(picked && { ref: picked }) } });
            }}
          />
        }
      />
      {!query && <SearchHelp search={search} />}
      {query && mode === 'files' && <FoundFiles repository={repository} at={ref} pattern={query} />}
      {query && mode !== 'files' && (
        <div ref={list}>
          {mode === 'commits' ? (
            <FoundCommits repository={repository} search={search} onError={explain} />
          ) : (
            <FoundCode repository={repository} search={search} onError={explain} />
          )}
        </div>
      )}
    </>
  );
}

/** Shares its query with the results, so that it is sent once. */
function useProblem({ name }: Repository, search: CodeSearch): string | undefined {
  const { mode, query, ref } = search;
  const code = useInfiniteQuery({
    ...codePagesQuery(name, search),
    enabled: query !== undefined && mode === undefined,
  });
  const files = useQuery({
    ...fileSearchQuery(name, ref, query ?? ''),
    enabled: query !== undefined && mode === 'files',
  });
  const commits = useInfiniteQuery({
    ...commitPagesQuery(name, search),
    enabled: query !== undefined && mode === 'commits',
  });
  return queryProblem({ files, commits, code }[mode ?? 'code'].error);
}
