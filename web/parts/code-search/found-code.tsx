/** Matching lines with context, grouped by file; each number links to the line at this commit. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, LoadingRows } from '../../components/page.tsx';
import { LIST_ENTRY, useListKeys } from '../../frame/use-list-keys.ts';
import type { CodeSearch } from '../../page-search.ts';
import { CodeLines } from '../code/code-lines.tsx';
import type { FoundFile, FoundLines } from '../code/code-queries.ts';
import { languageOf } from '../code/language-of.ts';
import { inOneLine, MarkedText } from '../code/marked-text.tsx';
import { PathNotFound } from '../code/path-not-found.tsx';
import { formatCount } from '../fields/format-amounts.ts';
import type { Repository } from '../repositories/repository-state.tsx';
import { isAboutPattern } from './search-form.tsx';
import { codeSearchQuery } from './search-query.ts';

export function FoundCode({ repository, search }: { repository: Repository; search: CodeSearch }) {
  const found = useQuery({ ...codeSearchQuery(repository.name, search), placeholderData: keepPreviousData });
  const list = useListKeys<HTMLDivElement>('match');
  const { data, error, isPlaceholderData } = found;
  if (error) {
    // Shown at the field.
    if (isAboutPattern(error)) return null;
    return (
      <PathNotFound
        error={error}
        repository={repository}
        at={search.ref}
        onRetry={() => void found.refetch()}
      />
    );
  }
  if (!data) return <LoadingRows rows={6} />;
  if (data.files.length === 0)
    return <EmptyState title="No matches">{data.notSearched ?? hintsFor(search)}</EmptyState>;
  return (
    <div
      ref={list}
      aria-busy={isPlaceholderData}
      className={`grid grid-cols-1 gap-4 transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <p role="status" className="text-sm text-quiet">
        {formatCount(data.matchingLines, 'matching line')} in {formatCount(data.files.length, 'file')}.{' '}
        <span className="text-warn">{describeOmitted(data)}</span>
      </p>
      {data.files.map((file) => (
        <FoundLinesOfFile key={file.path} repositoryId={repository.id} commit={data.commit} file={file} />
      ))}
    </div>
  );
}

function hintsFor({ ignoreCase, path, regex }: CodeSearch): string {
  return [
    path ? `Searched all text files in ${inOneLine(path)}.` : 'Searched all text files.',
    !ignoreCase && 'The search is case-sensitive.',
    regex && 'Characters such as ( and . are special in regular expressions.',
  ]
    .filter(Boolean)
    .join(' ');
}

function describeOmitted({ matchingLines, moreLines, notSearched }: FoundLines): string {
  const shown = formatNumber(matchingLines);
  return [
    moreLines &&
      `Showing the first ${shown} matches (${formatNumber(moreLines.count)}${moreLines.isLowerBound ? '+' : ''} more). Narrow your search.`,
    notSearched,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Rendered again only when the results change, not with every key typed above them. */
export const FoundLinesOfFile = memo(function FoundLinesOfFile(props: {
  repositoryId: string;
  commit: string;
  file: FoundFile;
  heading?: 'h2' | 'h3';
}) {
  const { commit, file, heading: Heading = 'h2', repositoryId } = props;
  const { lines, path } = file;
  const toLine = (line?: number) => ({
    to: '/repositories/$repositoryId' as const,
    params: { repositoryId },
    search: { ref: commit, path },
    ...(line !== undefined && { hash: `L${line}` }),
  });
  const matches = lines.filter(({ isMatch }) => isMatch);
  const label = inOneLine(path);
  return (
    <section aria-label={label} className="overflow-hidden rounded-xl border border-line bg-raised">
      <Heading className="flex items-baseline justify-between gap-4 border-b border-line bg-sunken px-4 py-2 text-sm">
        <Link {...toLine(matches[0]?.number)} className="min-w-0 font-medium wrap-anywhere hover:underline">
          <MarkedText text={path} />
        </Link>
        <span className="text-xs whitespace-nowrap text-quiet">
          {formatCount(matches.length, 'match', 'matches')}
        </span>
      </Heading>
      <CodeLines
        // Colors belong to the text they were computed for.
        key={`${lines[0]?.number} ${lines.length}`}
        label={`Lines of ${label}`}
        language={languageOf(path)}
        lines={lines}
        numberOf={({ number, isMatch }) => (
          <Link
            {...toLine(number)}
            {...(isMatch && LIST_ENTRY)}
            className="number"
            data-number={number}
            aria-label={`Line ${number} of ${label}`}
            tabIndex={isMatch ? 0 : -1}
          />
        )}
      />
    </section>
  );
});
