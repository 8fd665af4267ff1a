/** Search: lines of code in every repository that the person can see, shown as they are found. */
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../components/format-number.ts';
import { ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { SearchForm } from '../parts/code-search/search-form.tsx';
import { SearchHelp } from '../parts/code-search/search-help.tsx';
import { parseQuery, queryProblem } from '../parts/code-search/search-query.ts';
import { formatCount } from '../parts/fields/format-amounts.ts';
import { CommitSearch } from './search/commit-search.tsx';
import { NoMatches } from './search/no-matches.tsx';
import { MoreRepositories, RepositoryMatches } from './search/repository-matches.tsx';
import { type FoundEverywhere, useFoundEverywhere } from './search/use-found-everywhere.ts';

export function SearchPage() {
  const search = useSearch({ from: '/signed-in/search' });
  const [attempt, setAttempt] = useState(0);
  const found = useFoundEverywhere(search, attempt);
  const { counted, error, repositories, summary } = found;
  const list = useListKeys<HTMLDivElement>('match');
  const problem = queryProblem(error);
  const matching = repositories.filter(({ files }) => files.length > 0);
  const shown = new Set(matching.map(({ repoId }) => repoId));
  const others = [...counted.values()].filter(({ repoId }) => !shown.has(repoId));
  const isSearching = search.query !== undefined && !summary && !error;
  const isNarrowed = parseQuery(search).filters.some(({ name }) => name === 'repo');
  if (search.mode === 'commits') return <CommitSearch search={search} />;
  return (
    <Page title="Code search" lead="Search the code of all your repositories, at their default branches.">
      <SearchForm search={search} problem={problem} />
      {error && !problem && <ErrorState error={error} onRetry={() => setAttempt((before) => before + 1)} />}
      {search.query === undefined && <SearchHelp search={search} isInRepository={false} />}
      {isSearching && matching.length === 0 && <LoadingRows rows={6} />}
      {summary && matching.length + others.length === 0 && (
        <NoMatches summary={summary} isNarrowed={isNarrowed} />
      )}
      {matching.length > 0 && (
        <div ref={list} aria-busy={isSearching} className="grid grid-cols-1 gap-6">
          <Status {...found} />
          {matching.map((repository) => (
            <RepositoryMatches
              key={repository.repoId}
              found={repository}
              total={counted.get(repository.repoId)?.total ?? repository.total}
              search={search}
            />
          ))}
          {others.length > 0 && <MoreRepositories counted={others} search={search} />}
        </div>
      )}
    </Page>
  );
}

function Status({ summary }: Pick<FoundEverywhere, 'summary'>) {
  return (
    <p role="status" className="text-sm text-quiet">
      {summary ? (
        <>
          {summary.total.isLowerBound && 'At least '}
          {formatCount(summary.total.lines, 'matching line')} in{' '}
          {formatCount(summary.total.repositories, 'repository', 'repositories')}, of{' '}
          {formatNumber(summary.searched)} searched.{' '}
          <span className="text-warn">{summary.leftOut.join(' ')}</span>
        </>
      ) : (
        'Searching…'
      )}
    </p>
  );
}
