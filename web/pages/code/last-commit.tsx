/** The commit that last changed an entry of a folder. Its room is there before it is known, so that nothing moves. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatMoment, formatTime } from '../../components/format-time.ts';
import { type LastCommit, lastCommitsQuery } from '../../parts/code/code-queries.ts';
import { inOneLine, MarkedText } from '../../parts/code/marked-text.tsx';

export interface KnownCommits {
  of(name: string): LastCommit | undefined;
  isSearching: boolean;
  now: Date;
}

export function useLastCommits(repository: string, commit: string, path: string): KnownCommits {
  const { data, error } = useQuery(lastCommitsQuery({ repository, ref: commit }, path));
  return useMemo(() => {
    const commits = new Map(data?.commits.map((each) => [each.commit, each]));
    const byName = new Map(data?.entries.map((entry) => [entry.name, commits.get(entry.commit)]));
    return { of: (name) => byName.get(name), isSearching: data ? data.isSearching : !error, now: new Date() };
  }, [data, error]);
}

export function LastCommitCells({ known, name }: { known: KnownCommits; name: string }) {
  const commit = known.of(name);
  const authored = commit && new Date(commit.authoredAt);
  return (
    <>
      <span className="hidden min-w-0 flex-[1.2] truncate text-quiet sm:block" title={commit?.subject}>
        {commit && <MarkedText text={commit.subject} />}
      </span>
      <span className="hidden w-36 shrink-0 truncate text-quiet lg:block">
        {commit && <MarkedText text={commit.authorName} />}
      </span>
      {commit && authored ? (
        <time
          className="w-24 shrink-0 text-right text-quiet"
          dateTime={commit.authoredAt}
          title={`${inOneLine(commit.authorName)}, ${formatMoment(authored)}`}
        >
          {formatTime(authored, known.now)}
        </time>
      ) : (
        <span
          className="w-24 shrink-0 text-right text-quiet"
          title={known.isSearching ? undefined : 'The last change is too far back in the history'}
        >
          {known.isSearching ? '' : '–'}
        </span>
      )}
    </>
  );
}
