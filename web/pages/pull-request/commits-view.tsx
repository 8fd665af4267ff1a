/** The commits of a pull request, newest first; each opens its own changes. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isWaiting } from '../../api/queries.ts';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import { commitsQuery, type PullRequest, shortCommit } from '../../parts/pull-request/pull-request-data.ts';
import { commitSearch } from './comparison/compared-heads.ts';
import { NotHereYet } from './files/files-states.tsx';

export function CommitsView({ pullRequest }: { pullRequest: PullRequest }) {
  const { headCommit, id, repository } = pullRequest;
  const commits = useQuery({ ...commitsQuery(id), enabled: headCommit !== null });
  const { data, error, refetch } = commits;
  if (headCommit === null || isWaiting(commits)) return <NotHereYet repositoryId={repository.id} />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={4} />;
  if (data.commits.length === 0)
    return <EmptyState title="No commits">The branch is at its base.</EmptyState>;
  return (
    <div className="w-full">
      <ol
        aria-label="Commits"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
      >
        {data.commits.toReversed().map(({ authorName, authoredAt, body, commit, parents, subject }) => (
          <li key={commit} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5">
            <p className="font-medium wrap-anywhere">
              <CommitLink pullRequestId={id} commit={commit} parents={parents}>
                <MarkedText text={subject} />
              </CommitLink>
            </p>
            <Link
              to="/repositories/$repositoryId"
              params={{ repositoryId: repository.id }}
              search={{ ref: commit }}
              title="Browse the files at this commit"
              className="self-start rounded font-mono text-xs leading-6 text-accent hover:underline"
            >
              {shortCommit(commit)}
            </Link>
            <p className="text-[0.8125rem] wrap-anywhere text-quiet">
              {authorName}, <Time at={authoredAt} />
            </p>
            {body.trim() !== '' && (
              <details className="col-span-2 text-[0.8125rem]">
                <summary className="w-fit rounded text-quiet hover:text-text">Full message</summary>
                <p className="mt-1 border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-wrap">
                  <MarkedText text={body.trim()} />
                </p>
              </details>
            )}
          </li>
        ))}
      </ol>
      {data.total > data.commits.length && (
        <p className="mt-3 text-center text-sm text-quiet">
          Showing the newest {data.commits.length} of {formatNumber(data.total)}.
        </p>
      )}
    </div>
  );
}

/** A first commit has nothing to be compared with. */
function CommitLink(props: {
  pullRequestId: string;
  commit: string;
  parents: readonly string[];
  children: ReactNode;
}) {
  const { children, pullRequestId } = props;
  const search = commitSearch(props);
  if (!search) return children;
  return (
    <Link
      to="/pull-requests/$pullRequestId"
      params={{ pullRequestId }}
      search={search}
      className="rounded hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}
