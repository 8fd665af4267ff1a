/** The matching lines of a file with context; each number links to the line at this commit. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import type { CodeSearch } from '../../page-search.ts';
import { CodeLines } from '../code/code-lines.tsx';
import type { FoundFile } from '../code/code-queries.ts';
import { languageOf } from '../code/language-of.ts';
import { inOneLine, MarkedText } from '../code/marked-text.tsx';
import { formatCount } from '../fields/format-amounts.ts';
import { fileMatchesQuery, type SearchedRepository } from './search-query.ts';

interface FoundFileProps {
  repository: SearchedRepository;
  commit: string;
  search: CodeSearch;
  file: FoundFile;
  heading?: 'h2' | 'h3';
}

/** Rendered again only when the results change, not with every key typed above them. */
export const FoundLinesOfFile = memo(function FoundLinesOfFile(props: FoundFileProps) {
  const { commit, file, heading: Heading = 'h2', repository } = props;
  const { path } = file;
  const { isFetching, lines, more, onMore, problem, total } = useMatches(props);
  const toLine = (line?: number) => ({
    to: '/repositories/$repositoryId' as const,
    params: { repositoryId: repository.id },
    search: { ref: commit, path },
    ...(line !== undefined && { hash: `L${line}` }),
  });
  const first = lines.find(({ isMatch }) => isMatch);
  const label = inOneLine(path);
  return (
    <section aria-label={label} className="overflow-hidden rounded-xl border border-line bg-raised">
      <Heading className="flex items-baseline justify-between gap-4 border-b border-line bg-sunken px-4 py-2 text-sm">
        <Link {...toLine(first?.number)} className="min-w-0 font-medium wrap-anywhere hover:underline">
          <MarkedText text={path} />
        </Link>
        <span className="text-xs whitespace-nowrap text-quiet">{formatCount(total, 'match', 'matches')}</span>
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
      {more > 0 && (
        <p className="flex flex-wrap items-center gap-3 border-t border-line px-2 py-1 text-sm">
          <Button look="quiet" size="small" busy={isFetching} onClick={onMore}>
            Show {formatCount(more, 'more match', 'more matches')}
          </Button>
          {problem && <span className="text-danger">{problem}</span>}
        </p>
      )}
    </section>
  );
});

/** The search returns the first lines; the rest of the file is loaded on request. */
function useMatches({ commit, file, repository, search }: FoundFileProps) {
  const [wantsAll, setWantsAll] = useState(false);
  const found = useInfiniteQuery({
    ...fileMatchesQuery(repository.name, { ...search, ref: commit }, file),
    enabled: wantsAll,
  });
  const pages = found.data?.pages;
  const lines = pages ? inOrder(pages.flatMap((page) => page.files[0]?.lines ?? [])) : file.lines;
  const total = Math.max(file.matchingLines, pages?.[0]?.total.lines ?? 0);
  const shown = lines.filter(({ isMatch }) => isMatch).length;
  return {
    lines,
    total,
    more: pages && !found.hasNextPage ? 0 : total - shown,
    isFetching: found.isFetching,
    problem: found.error?.message,
    onMore: () => {
      if (pages) void found.fetchNextPage();
      else if (wantsAll) void found.refetch();
      else setWantsAll(true);
    },
  };
}

/** Context of one page can be a match of the next. */
function inOrder(lines: FoundFile['lines']): FoundFile['lines'] {
  const byNumber = new Map<number, FoundFile['lines'][number]>();
  for (const line of lines) if (line.isMatch || !byNumber.has(line.number)) byNumber.set(line.number, line);
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
