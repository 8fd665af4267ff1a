/** What the pages of one repository share: its name, the ways between them, and what is shown until there is code to read. */
import { Link } from '@tanstack/react-router';
import { ChevronLeft, FolderTree, type LucideIcon, Search, Settings } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Card, EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { inOneLine } from '../code/marked-text.tsx';
import {
  Progress,
  type Repository,
  RepositoryProblem,
  StateBadge,
} from '../repositories/repository-state.tsx';
import { useRepository } from './use-repository.ts';

export function RepositoryFrame({
  repositoryId,
  title,
  needsCode = false,
  children,
}: {
  repositoryId: string;
  /** What of the repository is shown, for the window's title. */
  title: string;
  /** Nothing of the page can be shown before the first clone. */
  needsCode?: boolean;
  children(repository: Repository): ReactNode;
}) {
  const { data, error, refetch } = useRepository(repositoryId);
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
          <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{name}</h1>
          {data && <Ways repository={data} />}
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

const WAY =
  'inline-flex h-8 items-center gap-1.5 rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

function Ways({ repository }: { repository: Repository }) {
  const params = { repositoryId: repository.id };
  // Where one reads and where one searches is the same commit.
  const search = (now: { ref?: string }) => (now.ref ? { ref: now.ref } : {});
  const sign = (Icon: LucideIcon) => <Icon className="size-4" aria-hidden="true" />;
  const exact = { exact: true, includeSearch: false, includeHash: false };
  return (
    <nav aria-label="Repository" className="flex gap-1">
      <Link
        to="/repositories/$repositoryId"
        params={params}
        search={search}
        activeOptions={exact}
        className={WAY}
      >
        {sign(FolderTree)} Files
      </Link>
      <Link
        to="/repositories/$repositoryId/search"
        params={params}
        search={search}
        activeOptions={exact}
        className={WAY}
      >
        {sign(Search)} Search
      </Link>
      {repository.canManage && (
        <Link to="/repositories/$repositoryId/settings" params={params} activeOptions={exact} className={WAY}>
          {sign(Settings)} Settings
        </Link>
      )}
    </nav>
  );
}

function isGone(error: Error): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 400);
}

function Gone() {
  return (
    <EmptyState
      title="There is no such repository"
      action={<ButtonLink to="/repositories">All repositories</ButtonLink>}
    >
      It may have been removed, or you may not see it.
    </EmptyState>
  );
}

/** Its default branch may be missing, and others there. */
function hasCode({ branchCount, headCommit, tagCount }: Repository): boolean {
  return headCommit !== null || branchCount + tagCount > 0;
}

/** Nothing was fetched yet, or there was nothing to fetch. */
function NoCodeYet({ repository }: { repository: Repository }) {
  if (repository.state === 'ready')
    return (
      <EmptyState title="This repository is empty">
        It has no commit yet. What is pushed to it appears here by itself.
      </EmptyState>
    );
  return (
    <Card className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-semibold">
          {repository.state === 'failed' ? 'It could not be cloned' : 'It is being cloned for the first time'}
        </h2>
        <StateBadge repository={repository} />
      </div>
      <Progress repository={repository} />
      <RepositoryProblem repository={repository} />
      <p className="text-sm text-quiet">
        {repository.state === 'failed'
          ? 'Its code can be read as soon as that is put right.'
          : 'Its code appears here as soon as that is done; you need not wait on this page.'}
      </p>
    </Card>
  );
}
