/** The matching lines of a repository with context, grouped by file, and as many more as wanted. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, LoadingRows } from '../../components/page.tsx';
import type { CodeSearch } from '../../page-search.ts';
import type { FoundLines } from '../code/code-queries.ts';
import { formatCount } from '../fields/format-amounts.ts';
import { FoundLinesOfFile } from './found-file.tsx';
import { codeCountQuery, codePagesQuery, type SearchedRepository } from './search-query.ts';

interface FoundCodeProps {
  repository: SearchedRepository;
  search: CodeSearch;
  heading?: 'h2' | 'h3';
  /** Shows an error; null where that is done elsewhere. */
  onError(error: Error, retry: () => void): React.ReactNode;
}

export function FoundCode({ heading = 'h2', onError, repository, search }: FoundCodeProps) {
  const found = useInfiniteQuery(codePagesQuery(repository.name, search));
  const first = found.data?.pages[0];
  const counted = useQuery(codeCountQuery(repository.name, search, first));
  if (found.error && !first) return onError(found.error, () => void found.refetch());
  if (!first) return <LoadingRows rows={6} />;
  const { pages } = found.data!;
  const files = pages.flatMap((page) => page.files);
  if (files.length === 0)
    return <EmptyState title="No matches">{first.notSearched ?? hintsFor(search)}</EmptyState>;
  const total = counted.data?.total ?? first.total;
  const rest = total.files - files.length;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p role="status" className="text-sm text-quiet">
        {describeTotal(total, counted.isFetching)}{' '}
        <span className="text-warn">{notesOn(first, counted.data)}</span>
      </p>
      {files.map((file) => (
        <FoundLinesOfFile
          key={file.path}
          repository={repository}
          commit={first.commit}
          search={search}
          file={file}
          heading={heading}
        />
      ))}
      {found.hasNextPage ? (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-quiet">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more files
          </Button>
          {formatNumber(rest)}
          {total.isLowerBound && '+'} more
          {found.isFetchNextPageError && <span className="text-danger">{found.error?.message}</span>}
        </p>
      ) : (
        rest > 0 && (
          <p className="text-sm text-quiet">
            {formatCount(rest, 'more file')}
            {total.isLowerBound && ' at least'}. Narrow your search to see them.
          </p>
        )
      )}
    </div>
  );
}

function describeTotal({ files, isLowerBound, lines }: FoundLines['total'], isCounting: boolean): string {
  const counts = `${formatCount(lines, 'matching line')} in ${formatCount(files, 'file')}`;
  if (!isLowerBound) return `${counts}.`;
  return `At least ${counts}${isCounting ? '. Counting…' : '.'}`;
}

function notesOn(first: FoundLines, counted: FoundLines | undefined): string {
  const isUnordered = !first.definitionsFirst && 'Definitions may not come first: they are still being read.';
  return [counted?.notSearched ?? first.notSearched, isUnordered].filter(Boolean).join(' ');
}

function hintsFor({ ignoreCase, query = '', regex }: CodeSearch): string {
  return [
    /(?:^|\s)-?(?:path|lang):/.test(query)
      ? 'Only files that pass the filters were searched.'
      : 'Searched all text files.',
    !ignoreCase && 'The search is case-sensitive.',
    regex && 'Characters such as ( and . are special in regular expressions.',
  ]
    .filter(Boolean)
    .join(' ');
}
