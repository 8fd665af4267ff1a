/** Who changed a file, or its selected lines: the commits, or the last one of each run of lines. */
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { blameQuery, historyQuery, shortCommit } from '../../parts/code/code-queries.ts';
import { linesOf, type SelectedLines } from '../../parts/code/selected-lines.ts';
import type { CodeProps } from './code-props.ts';

export type HistoryKind = 'history' | 'blame';

export function FileHistory({ kind, ...place }: CodeProps & { kind: HistoryKind }) {
  const lines = linesOf(useLocation({ select: ({ hash }) => hash }));
  const name = `${kind === 'blame' ? 'Blame' : 'History'} of ${lines ? describeLines(lines) : 'this file'}`;
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-y-auto border-b border-line"
    >
      <h2 className="px-4 pt-3 pb-1 text-sm font-semibold">{name}</h2>
      {kind === 'blame' ? <Blame {...place} lines={lines} /> : <History {...place} lines={lines} />}
    </section>
  );
}

type Asked = CodeProps & { lines: SelectedLines | undefined };

function History({ at, lines, path, repository }: Asked) {
  const found = useQuery(historyQuery({ repository: repository.name, ref: at }, path, lines));
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingRows rows={3} />;
  const { commits, truncated } = found.data;
  if (commits.length === 0) return <EmptyState title="No commits">The file has fewer lines.</EmptyState>;
  return (
    <>
      <ul className="divide-y divide-line">
        {commits.map((change) => (
          <Change key={change.commit} repositoryId={repository.id} path={path} {...change} />
        ))}
      </ul>
      {truncated && <p className="px-4 py-2 text-sm text-quiet">Older commits aren’t shown.</p>}
    </>
  );
}

function Blame({ at, lines, path, repository }: Asked) {
  const found = useQuery(blameQuery({ repository: repository.name, ref: at }, path, lines));
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingRows rows={3} />;
  const { runs } = found.data;
  if (runs.length === 0) return <EmptyState title="No lines">The file has fewer lines.</EmptyState>;
  return (
    <ul className="divide-y divide-line">
      {runs.map(({ endLine, startLine, ...change }) => (
        <Change
          key={startLine}
          repositoryId={repository.id}
          lines={{ first: startLine, last: endLine }}
          {...change}
        />
      ))}
    </ul>
  );
}

function Change(props: {
  repositoryId: string;
  path: string;
  commit: string;
  authorName: string;
  authoredAt: string;
  subject: string;
  lines?: SelectedLines;
}) {
  const { authoredAt, authorName, commit, lines, path, repositoryId, subject } = props;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-4 py-1.5 text-sm">
      {lines && (
        <span className="w-28 font-mono text-xs text-quiet">
          {lines.first === lines.last ? lines.first : `${lines.first}–${lines.last}`}
        </span>
      )}
      <Link
        to="/repositories/$repositoryId"
        params={{ repositoryId }}
        search={{ ref: commit, path }}
        title={`The file at commit ${commit}`}
        className="font-mono text-xs text-accent hover:underline"
      >
        {shortCommit(commit)}
      </Link>
      <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{subject}</span>
      <span className="text-quiet">
        {authorName}, <Time at={authoredAt} />
      </span>
    </li>
  );
}

function describeLines({ first, last }: SelectedLines): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
