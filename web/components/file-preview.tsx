/** The files of a repository that globs match now, while they are typed. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { operationQuery } from '../api/queries.ts';
import { formatNumber } from './format-number.ts';
import { linesOf } from './line-list.ts';
import { useSettled } from './use-settled.ts';

const PAUSE_MS = 300;
const SHOWN = 8;

/** `globs` has one glob a line; none at all are all files. */
export function FilePreview({ globs, repositoryId }: { globs: string; repositoryId: string }) {
  const id = useId();
  const paths = linesOf(useSettled(globs, PAUSE_MS));
  const { data, error, isFetching } = useQuery({
    ...operationQuery('preview-reviewer-files', { repositoryId, paths }),
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <section
      aria-labelledby={id}
      aria-busy={isFetching}
      className="rounded-md border border-line bg-sunken p-3"
    >
      <h4 id={id} aria-live="polite" className="text-[0.8125rem] font-medium">
        {error ? 'No preview' : data ? countOf(data.total) : 'Loading matching files'}
      </h4>
      {error && <p className="text-[0.8125rem] text-quiet">{error.message}</p>}
      {!error && data && (
        <ul className="mt-1 font-mono text-xs wrap-anywhere text-quiet">
          {data.items.slice(0, SHOWN).map((path) => (
            <li key={path}>{path}</li>
          ))}
          {data.total > SHOWN && <li className="font-sans">and {formatNumber(data.total - SHOWN)} more</li>}
        </ul>
      )}
    </section>
  );
}

function countOf(total: number): string {
  if (total === 0) return 'No file matches';
  return total === 1 ? '1 file matches' : `${formatNumber(total)} files match`;
}
