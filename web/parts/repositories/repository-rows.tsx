/** The list of repositories: name and status, then branch, last refresh and visibility. */
import { Link } from '@tanstack/react-router';
import { LockKeyhole, Settings } from 'lucide-react';
import type { Ref } from 'react';
import { Time } from '../../components/time.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import { formatCount } from '../fields/format-amounts.ts';
import { Progress, type Repository, RepositoryProblem, StateBadge } from './repository-state.tsx';

export function RepositoryRows({
  repositories,
  ref,
  busy,
}: {
  repositories: Repository[];
  ref: Ref<HTMLUListElement>;
  /** Other results are loading. */
  busy: boolean;
}) {
  return (
    <ul
      ref={ref}
      aria-label="Repositories"
      aria-busy={busy}
      className={`divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised transition-opacity ${busy ? 'opacity-60' : ''}`}
    >
      {repositories.map((repository) => (
        <RepositoryRow key={repository.id} repository={repository} />
      ))}
    </ul>
  );
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const { canManage, id, name } = repository;
  return (
    <li className="relative grid gap-1 px-4 py-2.5 transition-colors hover:bg-sunken">
      <div className="flex min-h-7 items-center gap-3">
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: id }}
          {...LIST_ENTRY}
          className="min-w-0 flex-1 font-medium wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        <StateBadge repository={repository} />
        {canManage && (
          <Link
            to="/repositories/$repositoryId/settings"
            params={{ repositoryId: id }}
            title="Settings"
            className="relative -mr-2 flex size-8 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-line/60 hover:text-text"
          >
            <Settings className="size-4" aria-hidden="true" />
            <span className="sr-only">Settings for {name}</span>
          </Link>
        )}
      </div>
      <RepositoryFacts repository={repository} />
      <Progress repository={repository} />
      <RepositoryProblem repository={repository} />
    </li>
  );
}

export function RepositoryFacts({ repository }: { repository: Repository }) {
  const { branchCount, defaultBranch, headCommit, members, refreshedAt, tagCount, visibility } = repository;
  return (
    <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-quiet empty:hidden">
      {refreshedAt && !headCommit && <span>empty</span>}
      {headCommit && defaultBranch && <span className="wrap-anywhere text-text">{defaultBranch}</span>}
      {branchCount > 0 && <span>{formatCount(branchCount, 'branch', 'branches')}</span>}
      {tagCount > 0 && <span>{formatCount(tagCount, 'tag')}</span>}
      {refreshedAt && (
        <span>
          refreshed <Time at={refreshedAt} />
        </span>
      )}
      {visibility === 'members' && (
        <span
          className="inline-flex items-center gap-1"
          title={['Admins and owners', ...members.map((member) => member.name)].join(', ')}
        >
          <LockKeyhole className="size-3.5" aria-hidden="true" />
          {members.length === 0
            ? 'Admins only'
            : `Admins and ${formatCount(members.length, 'person', 'people')}`}
        </span>
      )}
    </p>
  );
}
