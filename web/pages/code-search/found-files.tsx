/** Files with a matching path. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, LoadingRows } from '../../components/page.tsx';
import { LIST_ENTRY, useListKeys } from '../../frame/use-list-keys.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import { PathNotFound } from '../../parts/code/path-not-found.tsx';
import { fileSearchQuery, queryProblem } from '../../parts/code-search/search-query.ts';
import { formatCount } from '../../parts/fields/format-amounts.ts';
import type { Repository } from '../../parts/repositories/repository-state.tsx';

export function FoundFiles(props: { repository: Repository; at: string | undefined; pattern: string }) {
  const { at, pattern, repository } = props;
  const found = useQuery({
    ...fileSearchQuery(repository.name, at, pattern),
    placeholderData: keepPreviousData,
  });
  const list = useListKeys<HTMLUListElement>('file');
  const { data, error, isPlaceholderData } = found;
  if (error) {
    // Shown at the field.
    if (queryProblem(error)) return null;
    return (
      <PathNotFound error={error} repository={repository} at={at} onRetry={() => void found.refetch()} />
    );
  }
  if (!data) return <LoadingRows rows={6} />;
  if (data.items.length === 0)
    return (
      <EmptyState title="No matching files">
        Words must appear in the path in this order. Only files are found, not folders or submodules.
      </EmptyState>
    );
  return (
    <>
      <p role="status" className="mb-3 text-sm text-quiet">
        {formatCount(data.total, 'file')}.
        {data.truncated && ` Showing the first ${formatNumber(data.items.length)}.`}
      </p>
      <ul
        ref={list}
        aria-label="Files"
        aria-busy={isPlaceholderData}
        className={`divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {data.items.map((path) => (
          <li key={path} className="relative px-4 py-1.5 text-sm hover:bg-sunken">
            <Link
              to="/repositories/$repositoryId"
              params={{ repositoryId: repository.id }}
              search={{ ...(at && { ref: at }), path }}
              {...LIST_ENTRY}
              className="wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              <MarkedText text={path} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
