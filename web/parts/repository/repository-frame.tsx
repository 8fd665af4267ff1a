/** Shared by the pages of one repository: name, tabs, and what is shown until there is code to read. */
import { Link } from '@tanstack/react-router';
import {
  ChevronLeft,
  FolderTree,
  GitPullRequest,
  type LucideIcon,
  Network,
  Search,
  Settings,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Card, EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { ScrollRow } from '../../components/scroll-row.tsx';
import { inOneLine } from '../code/marked-text.tsx';
import {
  Progress,
  type Repository,
  RepositoryProblem,
  StateBadge,
} from '../repositories/repository-state.tsx';
import { useRepository } from './use-repository.ts';
import { useRepositoryEvents } from './use-repository-events.ts';
import { WatchControl } from './watch-control.tsx';

export function RepositoryFrame({
  repositoryId,
  title,
  needsCode = false,
  children,
}: {
  repositoryId: string;
  /** The current tab, for the window's title. */
  title: string;
  /** The page needs the first clone to be finished. */
  needsCode?: boolean;
  children(repository: Repository): ReactNode;
}) {
  const { data, error, refetch } = useRepository(repositoryId);
  useRepositoryEvents(repositoryId);
  const name = data?.name ?? 'Repository';
  useEffect(() => {
    document.title = `${inOneLine([title, name].filter(Boolean).join(' · '))} · Countersign`;
  }, [title, name]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      <header className="mb-5">
        <Link
          to="/repositories"
          className="-ml-1 inline-flex items-center gap-1 text-[0.8125rem] text-quiet hover:text-text hover:underline"
        >
          <ChevronLeft className="size-3.5" aria-hidden="true" />
          All repositories
        </Link>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{name}</h1>
            {data && <WatchControl repositoryId={repositoryId} name={name} />}
          </div>
          {data && <RepositoryTabs repository={data} />}
        </div>
      </header>
      {error &&
        !data &&
        (isGone(error) ? <Gone /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      {!data && !error && <LoadingRows rows={6} />}
      {data && (needsCode && !hasCode(data) ? <NoCodeYet repository={data} /> : children(data))}
    </div>
  );
}

const TAB =
  'inline-flex h-8 items-center gap-1.5 rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

function RepositoryTabs({ repository }: { repository: Repository }) {
  const params = { repositoryId: repository.id };
  // Files and search show the same commit.
  const search = (now: { ref?: string }) => (now.ref ? { ref: now.ref } : {});
  const icon = (Icon: LucideIcon) => <Icon className="size-4" aria-hidden="true" />;
  const exact = { exact: true, includeSearch: false, includeHash: false };
  return (
    <ScrollRow label="Repository" className="min-w-0 gap-1 max-sm:-mx-1 max-sm:px-1">
      <Link
        to="/repositories/$repositoryId"
        params={params}
        search={search}
        activeOptions={exact}
        className={TAB}
      >
        {icon(FolderTree)} Files
      </Link>
      <Link
        to="/repositories/$repositoryId/search"
        params={params}
        search={search}
        activeOptions={exact}
        className={TAB}
      >
        {icon(Search)} Search
      </Link>
      <Link
        to="/repositories/$repositoryId/architecture"
        params={params}
        activeOptions={exact}
        className={TAB}
      >
        {icon(Network)} Architecture
      </Link>
      <Link to="/pull-requests" search={{ repositoryId: repository.id }} className={TAB}>
        {icon(GitPullRequest)} Pull requests
      </Link>
      {repository.canManage && (
        <Link to="/repositories/$repositoryId/settings" params={params} activeOptions={exact} className={TAB}>
          {icon(Settings)} Settings
        </Link>
      )}
    </ScrollRow>
  );
}

function isGone(error: Error): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 400);
}

function Gone() {
  return (
    <EmptyState
      title="Repository not found"
      action={<ButtonLink to="/repositories">All repositories</ButtonLink>}
    >
      It may have been removed, or you may not have access.
    </EmptyState>
  );
}

/** The default branch may be missing while others exist. */
function hasCode({ branchCount, headCommit, tagCount }: Repository): boolean {
  return headCommit !== null || branchCount + tagCount > 0;
}

/** Nothing has been fetched yet, or there was nothing to fetch. */
function NoCodeYet({ repository }: { repository: Repository }) {
  if (repository.state === 'ready')
    return (
      <EmptyState title="This repository is empty">
        It has no commits yet. Pushed commits appear here automatically.
      </EmptyState>
    );
  return (
    <Card className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-semibold">
          {repository.state === 'failed' ? 'Clone failed' : 'Cloning for the first time'}
        </h2>
        <StateBadge repository={repository} />
      </div>
      <Progress repository={repository} />
      <RepositoryProblem repository={repository} />
      <p className="text-sm text-quiet">
        {repository.state === 'failed'
          ? 'Code will appear once this is fixed.'
          : 'Code will appear here when it’s done. You can leave this page.'}
      </p>
    </Card>
  );
}
