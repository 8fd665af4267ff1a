/** Who last changed each line, beside the lines: one entry for each run of lines with the same commit. */
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitCommitHorizontal, History } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type CSSProperties, type ReactNode, useCallback, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { formatTime } from '../../components/format-time.ts';
import { Time } from '../../components/time.tsx';
import type { ShownLine } from '../../parts/code/code-lines.tsx';
import { type BlamedRun, blameQuery, type FilePart, shortCommit } from '../../parts/code/code-queries.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import type { CodeProps } from './code-props.ts';

interface BlameOptions extends Pick<CodeProps, 'path' | 'repository'> {
  parts: FilePart[];
  isOn: boolean;
}

export interface BlameMargin {
  marginOf: ((line: ShownLine) => ReactNode) | undefined;
  /** Why it isn't there. */
  notice: ReactNode;
  /** The details of the run that was clicked. */
  details: ReactNode;
}

export function useBlame({ isOn, parts, path, repository }: BlameOptions): BlameMargin {
  const [opened, setOpened] = useState<{ run: BlamedRun; by: HTMLElement }>();
  const shownParts = isOn ? parts.filter(({ endLine, startLine }) => endLine >= startLine) : [];
  const results = useQueries({
    queries: shownParts.map(({ commit, endLine, startLine }) =>
      blameQuery({ repository: repository.name, ref: commit }, path, { first: startLine, last: endLine }),
    ),
    combine: (all) => ({
      runs: all.map(({ data }) => data?.runs),
      error: all.find(({ error }) => error)?.error,
      retry: () => {
        for (const each of all) if (each.error) void each.refetch();
      },
    }),
  });
  const key = results.runs.map((runs) => runs?.length ?? '-').join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: blame at a commit never changes, so its length tells whether it is there.
  const { byLine, span } = useMemo(() => placeRuns(results.runs), [key]);
  const now = useMemo(() => new Date(), []);
  const marginOf = useCallback(
    ({ number }: ShownLine) => {
      const run = byLine.get(number);
      if (!run) return <span className="blame" />;
      const style = { '--recent': `${Math.round(recentness(run, span) * 100)}%` } as CSSProperties;
      if (run.startLine !== number) return <span className="blame" style={style} />;
      const { authorName, authoredAt, commit, subject } = run;
      const age = formatTime(new Date(authoredAt), now);
      return (
        <span className="blame first" style={style}>
          <button type="button" onClick={({ currentTarget }) => setOpened({ run, by: currentTarget })}>
            <span className="sr-only">Commit {shortCommit(commit)}: </span>
            <span className="subject">{subject}</span>
            <span className="author">{authorName}</span>
            <time dateTime={authoredAt}>{age}</time>
          </button>
        </span>
      );
    },
    [byLine, now, span],
  );
  return {
    marginOf: isOn ? marginOf : undefined,
    notice: isOn && (
      <>
        {results.error && (
          <p className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2 text-sm">
            <span className="text-danger">Couldn’t load blame: {results.error.message}</span>
            <Button size="small" onClick={results.retry}>
              Try again
            </Button>
          </p>
        )}
        <span role="status" className="sr-only">
          {results.runs.includes(undefined) && !results.error ? 'Loading blame' : ''}
        </span>
      </>
    ),
    details: opened && (
      <Details {...opened} repositoryId={repository.id} onClose={() => setOpened(undefined)} />
    ),
  };
}

interface Span {
  oldest: number;
  newest: number;
}

function placeRuns(all: readonly (readonly BlamedRun[] | undefined)[]): {
  byLine: ReadonlyMap<number, BlamedRun>;
  span: Span;
} {
  const byLine = new Map<number, BlamedRun>();
  const span = { oldest: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };
  let last: BlamedRun | undefined;
  for (const run of all.flatMap((runs) => runs ?? [])) {
    // A file is loaded in parts, which can cut a run.
    if (last?.commit === run.commit && last.endLine === run.startLine - 1) last.endLine = run.endLine;
    else last = { ...run };
    const time = Date.parse(run.authoredAt);
    span.oldest = Math.min(span.oldest, time);
    span.newest = Math.max(span.newest, time);
    for (let line = run.startLine; line <= run.endLine; line += 1) byLine.set(line, last);
  }
  return { byLine, span };
}

/** 1 for the newest commit of the file, 0 for the oldest. */
function recentness({ authoredAt }: BlamedRun, { newest, oldest }: Span): number {
  return newest > oldest ? (Date.parse(authoredAt) - oldest) / (newest - oldest) : 1;
}

const LINK =
  'inline-flex min-h-8 items-center gap-2 rounded-md px-2 text-sm text-accent hover:bg-accent-soft hover:underline';

function Details(props: { run: BlamedRun; by: HTMLElement; repositoryId: string; onClose(): void }) {
  const { by, onClose, repositoryId, run } = props;
  const { authorName, authoredAt, commit, path, previous, subject } = run;
  const anchor = useMemo(() => ({ current: by }), [by]);
  const linkTo = (place: { commit: string; path: string }) => ({
    to: '/repositories/$repositoryId' as const,
    params: { repositoryId },
    search: { ref: place.commit, path: place.path, source: true as const },
    onClick: onClose,
    className: LINK,
  });
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`Commit ${shortCommit(commit)}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            by.focus({ preventScroll: true });
          }}
          className="z-[45] w-[min(24rem,calc(100vw-1rem))] rounded-lg border border-line bg-raised p-2 shadow-xl"
        >
          <p className="px-2 pt-1 text-sm font-medium wrap-anywhere">
            <MarkedText text={subject} />
          </p>
          <p className="px-2 pb-2 text-sm text-quiet wrap-anywhere">
            <MarkedText text={authorName} />, <Time at={authoredAt} />
          </p>
          <div className="grid border-t border-line pt-1">
            <Link {...linkTo({ commit, path })}>
              <GitCommitHorizontal className="size-4" aria-hidden="true" />
              File at {shortCommit(commit)}
            </Link>
            {previous && (
              <Link {...linkTo(previous)}>
                <History className="size-4" aria-hidden="true" />
                Blame before this change
              </Link>
            )}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
