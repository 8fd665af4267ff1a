/** The entries of a folder, folders first, with its README below. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerLeftUp, File, FileSymlink, Folder, FolderGit2, type LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, LoadingRows } from '../../components/page.tsx';
import { LIST_ENTRY, useListKeys } from '../../frame/use-list-keys.ts';
import { type TreeEntry, treeQuery } from '../../parts/code/code-queries.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import { PathNotFound } from '../../parts/code/path-not-found.tsx';
import type { CodeProps } from './code-props.ts';
import { LastCommitCells, useLastCommits } from './last-commit.tsx';
import { parentOf, withoutSlash } from './paths.ts';

const Readme = lazy(() => import('./readme.tsx'));

const README = /^readme(?:\.md|\.markdown)?$/i;
/** Showing more at once would make the page slow. */
const MAX_SHOWN = 1000;

const ICONS: Record<TreeEntry['kind'], LucideIcon> = {
  folder: Folder,
  file: File,
  symlink: FileSymlink,
  submodule: FolderGit2,
};
const WORDS: Record<TreeEntry['kind'], string> = {
  folder: 'Folder',
  file: 'File',
  symlink: 'Symbolic link',
  submodule: 'Submodule',
};

export function FolderView({ repository, at, path }: CodeProps) {
  const place = { repository: repository.name, ref: at };
  const { data, error, refetch } = useQuery(treeQuery(place, withoutSlash(path)));
  const list = useListKeys<HTMLUListElement>('entry');
  if (error && !data)
    return <PathNotFound error={error} repository={repository} at={at} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={8} />;
  const readme = data.entries.find(({ kind, name }) => kind === 'file' && README.test(name));
  return (
    <>
      {data.entries.length === 0 && path === '' ? (
        <EmptyState title="No files" />
      ) : (
        <Entries
          key={path}
          ref={list}
          repository={repository}
          at={at}
          path={path}
          commit={data.commit}
          entries={data.entries}
        />
      )}
      {data.truncated && (
        <p className="mt-3 text-center text-sm text-quiet">
          Showing the first {formatNumber(data.entries.length)} entries of this folder.
        </p>
      )}
      {readme && (
        <Suspense>
          <Readme key={readme.path} repository={repository} at={at} path={readme.path} />
        </Suspense>
      )}
    </>
  );
}

const ROW = 'flex min-h-9 items-center gap-2.5 px-4 py-1.5 text-sm';
const LINK =
  'min-w-0 flex-1 wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent';

function Entries({
  ref,
  repository,
  at,
  path,
  commit,
  entries,
}: CodeProps & { ref: React.Ref<HTMLUListElement>; commit: string; entries: TreeEntry[] }) {
  const last = useLastCommits(repository.name, commit, withoutSlash(path));
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, MAX_SHOWN);
  const params = { repositoryId: repository.id };
  const searchFor = (to: string) => ({ ...(at && { ref: at }), ...(to && { path: to }) });
  return (
    <>
      <ul
        ref={ref}
        aria-label="Files"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
      >
        {path !== '' && (
          <li className={`relative ${ROW} hover:bg-sunken`}>
            <CornerLeftUp className="size-4 shrink-0 text-quiet" aria-hidden="true" />
            <Link
              to="/repositories/$repositoryId"
              params={params}
              search={searchFor(parentOf(path))}
              className={`${LINK} text-quiet`}
            >
              <span aria-hidden="true">..</span>
              <span className="sr-only">Parent folder</span>
            </Link>
          </li>
        )}
        {shown.map(({ kind, name, path: to }) => {
          const Icon = ICONS[kind];
          return (
            <li key={to} className={`relative ${ROW} ${kind === 'submodule' ? '' : 'hover:bg-sunken'}`}>
              <Icon
                className={`size-4 shrink-0 ${kind === 'folder' ? 'fill-accent-soft text-accent' : 'text-quiet'}`}
                aria-label={WORDS[kind]}
              />
              {kind === 'submodule' ? (
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <MarkedText text={name} />
                </span>
              ) : (
                <Link
                  to="/repositories/$repositoryId"
                  params={params}
                  search={searchFor(kind === 'folder' ? `${to}/` : to)}
                  {...LIST_ENTRY}
                  className={LINK}
                >
                  <MarkedText text={name} />
                </Link>
              )}
              {(kind === 'symlink' || kind === 'submodule') && (
                <span className="text-xs text-quiet">
                  {kind === 'symlink' ? 'symbolic link' : 'submodule'}
                </span>
              )}
              <LastCommitCells known={last} name={name} />
            </li>
          );
        })}
      </ul>
      {shown.length < entries.length && (
        <div className="mt-4 flex justify-center">
          <Button onClick={() => setAll(true)}>
            Show {formatNumber(entries.length - shown.length)} more
          </Button>
        </div>
      )}
    </>
  );
}
