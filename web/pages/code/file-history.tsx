/** The commits that changed a file, or its selected lines. */
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { historyQuery, shortCommit } from '../../parts/code/code-queries.ts';
import { linesOf, type SelectedLines } from '../../parts/code/selected-lines.ts';
import type { CodeProps } from './code-props.ts';

export function FileHistory(place: CodeProps) {
  const lines = linesOf(useLocation({ select: ({ hash }) => hash }));
  const name = `History of ${lines ? describeLines(lines) : 'this file'}`;
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-y-auto border-b border-line"
    >
      <h2 className="px-4 pt-3 pb-1 text-sm font-semibold">{name}</h2>
      <History {...place} lines={lines} />
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

function Change(props: {
  repositoryId: string;
  path: string;
  commit: string;
  authorName: string;
  authoredAt: string;
  subject: string;
}) {
  const { authoredAt, authorName, commit, path, repositoryId, subject } = props;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-4 py-1.5 text-sm">
      <Link
        to="/repositories/$repositoryId"
        params={{ repositoryId }}
        search={{ ref: commit, path, source: true }}
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
