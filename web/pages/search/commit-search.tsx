/** Search → Commits: in the repository that the query names. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.ts';
import { EmptyState, ErrorState, LoadingRows, Page } from '../../components/page.tsx';
import { useListKeys } from '../../frame/use-list-keys.ts';
import type { CodeSearch } from '../../page-search.ts';
import { FoundCommits } from '../../parts/code-search/found-commits.tsx';
import { SearchForm } from '../../parts/code-search/search-form.tsx';
import { SearchHelp } from '../../parts/code-search/search-help.tsx';
import { commitPagesQuery, onlyRepository, queryProblem } from '../../parts/code-search/search-query.ts';

export function CommitSearch({ search }: { search: CodeSearch }) {
  const only = onlyRepository(search);
  const list = useListKeys<HTMLDivElement>('commit');
  const found = useInfiniteQuery({
    ...commitPagesQuery(only?.name ?? '', only?.within ?? search),
    enabled: only !== undefined && only.within.query !== '',
  });
  return (
    <Page title="Code search" lead="Search the commits of a repository, from its default branch.">
      <SearchForm search={search} problem={queryProblem(found.error)} />
      {search.query === undefined && <SearchHelp search={search} isInRepository={false} />}
      {search.query !== undefined && (!only || only.within.query === '') && (
        <EmptyState title={only ? 'What are you looking for?' : 'In which repository?'}>
          {only
            ? 'Add text, or author: and a name.'
            : 'Commits are searched in one repository at a time: add repo: and its name.'}
        </EmptyState>
      )}
      {only && only.within.query !== '' && (
        <div ref={list}>
          <Found name={only.name} search={only.within} />
        </div>
      )}
    </Page>
  );
}

function Found({ name, search }: { name: string; search: CodeSearch }) {
  const repositories = useQuery(operationQuery('list-repositories', { search: name, limit: 50 }));
  if (repositories.error)
    return <ErrorState error={repositories.error} onRetry={() => void repositories.refetch()} />;
  if (!repositories.data) return <LoadingRows rows={6} />;
  const wanted = name.toLowerCase();
  const all = repositories.data.repositories;
  const named = all.filter((each) =>
    [each.name, each.name.split('/').at(-1)!].some((its) => its.toLowerCase() === wanted),
  );
  const repository =
    named.find((each) => each.name.toLowerCase() === wanted) ?? (named.length === 1 ? named[0] : undefined);
  if (!repository)
    return (
      <EmptyState title={named.length > 1 ? 'Several repositories have this name' : 'No such repository'}>
        {named.length > 1
          ? `Write the full name: ${named.map((each) => each.name).join(' or ')}.`
          : `There is no repository named ${name}, or you don’t have access to it.`}
      </EmptyState>
    );
  return (
    <FoundCommits
      repository={repository}
      search={search}
      onError={(error, onRetry) =>
        queryProblem(error) ? null : <ErrorState error={error} onRetry={onRetry} />
      }
    />
  );
}
