/** Commits whose message, author or changes match, newest first, and as many older ones as wanted. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, LoadingRows } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import type { CodeSearch } from '../../page-search.ts';
import { shortCommit } from '../code/code-queries.ts';
import { MarkedText } from '../code/marked-text.tsx';
import { formatCount } from '../fields/format-amounts.ts';
import { commitPagesQuery, type SearchedRepository } from './search-query.ts';

interface FoundCommitsProps {
  repository: SearchedRepository;
  search: CodeSearch;
  onError(error: Error, retry: () => void): React.ReactNode;
}

export function FoundCommits({ onError, repository, search }: FoundCommitsProps) {
  const found = useInfiniteQuery(commitPagesQuery(repository.name, search));
  const last = found.data?.pages.at(-1);
  if (found.error && !last) return onError(found.error, () => void found.refetch());
  if (!last) return <LoadingRows rows={6} />;
  const commits = found.data!.pages.flatMap((page) => page.commits);
  const { notSearched, searched, total } = last;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p role="status" className="text-sm text-quiet">
        {formatCount(commits.length, 'commit')} found, of {formatNumber(searched)} searched
        {searched < total.count && ` (${formatNumber(total.count)}${total.isLowerBound ? '+' : ''} in all)`}.{' '}
        <span className="text-warn">{notSearched}</span>
      </p>
      {commits.length === 0 && last.next === null && (
        <EmptyState title="No matching commits">
          {search.ignoreCase ? '' : 'The search is case-sensitive. '}
          {search.changes
            ? 'Merge commits are not compared.'
            : 'Only messages were searched. Select “In added or removed text” to search changes.'}
        </EmptyState>
      )}
      {commits.length > 0 && (
        <ul
          aria-label="Commits"
          className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
        >
          {commits.map((each) => (
            <FoundCommit key={each.commit} repositoryId={repository.id} found={each} />
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <p className="flex flex-wrap items-center gap-3 text-sm">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Search older commits
          </Button>
          {found.isFetchNextPageError && <span className="text-danger">{found.error?.message}</span>}
        </p>
      )}
    </div>
  );
}

interface Found {
  commit: string;
  authorName: string;
  authoredAt: string;
  subject: string;
  paths: string[];
}

function FoundCommit({ found, repositoryId }: { found: Found; repositoryId: string }) {
  const { authorName, authoredAt, commit, paths, subject } = found;
  const at = (path?: string) => ({
    to: '/repositories/$repositoryId' as const,
    params: { repositoryId },
    search: { ref: commit, ...(path !== undefined && { path }) },
  });
  return (
    <li className="grid gap-1 px-4 py-2 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Link
          {...at()}
          {...LIST_ENTRY}
          title={`The code at commit ${commit}`}
          className="font-mono text-xs text-accent hover:underline"
        >
          {shortCommit(commit)}
        </Link>
        <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">
          <MarkedText text={subject} />
        </span>
        <span className="text-quiet">
          <MarkedText text={authorName} />, <Time at={authoredAt} />
        </span>
      </div>
      {paths.length > 0 && (
        <ul aria-label="Files" className="flex flex-wrap gap-x-4 gap-y-0.5">
          {paths.map((path) => (
            <li key={path} className="min-w-0">
              <Link
                {...at(path)}
                className="font-mono text-xs wrap-anywhere text-quiet hover:text-text hover:underline"
              >
                <MarkedText text={path} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
