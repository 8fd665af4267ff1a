/** Search: lines of code in every repository that the person can see, shown as they are found. */
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../api/client.ts';
import { formatNumber } from '../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { FoundLinesOfFile } from '../parts/code-search/found-code.tsx';
import { formatCount } from '../parts/fields/format-amounts.ts';
import { SearchAllForm } from './search/search-all-form.tsx';
import {
  type FoundRepository,
  type SearchSummary,
  useFoundEverywhere,
} from './search/use-found-everywhere.ts';

export function SearchPage() {
  const search = useSearch({ from: '/signed-in/search' });
  const [attempt, setAttempt] = useState(0);
  const { error, repositories, summary } = useFoundEverywhere(search, attempt);
  const list = useListKeys<HTMLDivElement>('match');
  const problems = new Map(
    error instanceof ApiProblem ? error.fields.map(({ message, path }) => [path, message]) : [],
  );
  const matching = repositories.filter(({ files }) => files.length > 0);
  const isSearching = search.pattern !== undefined && !summary && !error;
  return (
    <Page title="Code search" lead="Search the code of all your repositories, at their default branches.">
      <SearchAllForm search={search} problems={problems} />
      {error && problems.size === 0 && (
        <ErrorState error={error} onRetry={() => setAttempt((before) => before + 1)} />
      )}
      {search.pattern === undefined && (
        <EmptyState title="What are you looking for?">
          A name, a message or a setting. Definitions and whole words come before other matches, code before
          tests, documents and generated files.
        </EmptyState>
      )}
      {isSearching && matching.length === 0 && <LoadingRows rows={6} />}
      {summary && matching.length === 0 && (
        <NoMatches summary={summary} isNarrowed={search.repositories !== undefined} />
      )}
      {matching.length > 0 && (
        <div ref={list} aria-busy={isSearching} className="grid grid-cols-1 gap-6">
          <Status summary={summary} />
          {matching.map((repository) => (
            <Repository key={repository.repoId} found={repository} />
          ))}
        </div>
      )}
    </Page>
  );
}

function NoMatches({ isNarrowed, summary }: { summary: SearchSummary; isNarrowed: boolean }) {
  const { leftOut, searched } = summary;
  if (searched === 0 && leftOut.length === 0 && !isNarrowed)
    return (
      <EmptyState title="No repositories yet">
        There is no code to search. Go to{' '}
        <Link to="/repositories" className="text-accent underline underline-offset-2">
          Repositories
        </Link>{' '}
        to see how they are added.
      </EmptyState>
    );
  return (
    <EmptyState title="No matches">
      {[`Searched ${formatCount(searched, 'repository', 'repositories')}.`, ...leftOut].join(' ')}
    </EmptyState>
  );
}

function Status({ summary }: { summary: SearchSummary | null }) {
  return (
    <p role="status" className="text-sm text-quiet">
      {summary ? (
        <>
          {formatCount(summary.matchingLines, 'matching line')} in{' '}
          {formatCount(summary.matching, 'repository', 'repositories')}, of {formatNumber(summary.searched)}{' '}
          searched. <span className="text-warn">{summary.leftOut.join(' ')}</span>
        </>
      ) : (
        'Searching…'
      )}
    </p>
  );
}

function Repository({ found }: { found: FoundRepository }) {
  const { commit, files, matchingLines, moreLines, notSearched, repoId, repository } = found;
  return (
    <section aria-label={repository} className="grid grid-cols-1 gap-3">
      <h2 className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: repoId }}
          className="text-base font-semibold wrap-anywhere hover:underline"
        >
          {repository}
        </Link>
        <span className="text-quiet">
          {formatCount(matchingLines, 'matching line')}
          {moreLines && `, ${formatNumber(moreLines.count)}${moreLines.isLowerBound ? '+' : ''} more`}
        </span>
        {notSearched && <span className="text-warn">{notSearched}</span>}
      </h2>
      {files.map((file) => (
        <FoundLinesOfFile key={file.path} repositoryId={repoId} commit={commit} file={file} heading="h3" />
      ))}
    </section>
  );
}
