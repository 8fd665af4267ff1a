/** The two commits of a submodule, and those between them where its repository is known here. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { operationQuery } from '../../../api/queries.ts';
import { Time } from '../../../components/time.tsx';
import { useNearby } from '../../../markdown/use-nearby.ts';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import { formatCount } from '../../../parts/fields/format-amounts.ts';
import { shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import type { ChangedFile } from './diff-types.ts';
import { isSubmodule } from './file-modes.ts';
import { CELL } from './table-roles.ts';

export function SubmoduleCommits(props: {
  pullRequestId: string;
  file: ChangedFile;
  from: string;
  to: string;
}) {
  const { file, from, pullRequestId, to } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNearby = useNearby(box);
  const { data } = useQuery({
    ...operationQuery('compare-submodule', { pullRequestId, from, to, path: file.path }),
    enabled: isNearby,
  });
  const oldCommit = isSubmodule(file.oldMode) ? file.oldBlob : null;
  const newCommit = isSubmodule(file.newMode) ? file.newBlob : null;
  const { between, repository } = data ?? {};
  return (
    <div {...CELL} ref={box} className="grid gap-2 px-4 py-4 text-sm">
      <p>
        Submodule{repository && ` ${repository.name}`}:{' '}
        {[oldCommit, newCommit].map((commit, index) => (
          <span key={index === 0 ? 'old' : 'new'}>
            {index === 1 && ' → '}
            {commit === null ? (
              <span className="text-quiet">{index === 0 ? 'not there' : 'removed'}</span>
            ) : repository && between ? (
              <Link
                to="/repositories/$repositoryId"
                params={{ repositoryId: repository.id }}
                search={{ ref: commit }}
                className="rounded font-mono text-xs text-accent hover:underline"
              >
                {shortCommit(commit)}
              </Link>
            ) : (
              <code className="font-mono text-xs wrap-anywhere">{commit}</code>
            )}
          </span>
        ))}
      </p>
      {between && between.removed > 0 && (
        <p className="text-warn">
          {formatCount(between.removed, 'commit')} of the old one {between.removed === 1 ? 'is' : 'are'} not
          in the new one.
        </p>
      )}
      {between && between.commits.length > 0 && (
        <ol aria-label={`Commits of ${file.path}`} className="grid gap-1 text-[0.8125rem]">
          {between.commits.map(({ authoredAt, authorName, commit, subject }) => (
            <li key={commit} className="flex min-w-0 items-baseline gap-2">
              <code className="shrink-0 font-mono text-xs text-quiet">{shortCommit(commit)}</code>
              <span className="min-w-0 truncate">
                <MarkedText text={subject} />
              </span>
              <span className="ml-auto shrink-0 text-xs text-quiet max-sm:hidden">
                {authorName}, <Time at={authoredAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {between && between.total > between.commits.length && (
        <p className="text-quiet">
          Showing the newest {between.commits.length} of {between.total} commits.
        </p>
      )}
      {data && !between && oldCommit !== null && newCommit !== null && (
        <p className="text-quiet wrap-anywhere">
          {repository
            ? 'Not all of these commits are known here.'
            : data.address
              ? `Add the repository ${data.address} to see the commits between.`
              : '.gitmodules has no address for it.'}
        </p>
      )}
      <p className="text-quiet">
        Its files are in another repository, so it takes no comments; use the conversation.
      </p>
    </div>
  );
}
