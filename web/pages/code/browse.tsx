/** Repository → Files: a folder or file at a branch, tag or commit; the address holds all three. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Copy, Search } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { copyText } from '../../components/copy.tsx';
import { Keys } from '../../components/kbd.tsx';
import { useToast } from '../../components/toast.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import { RefPicker } from '../../parts/code/ref-picker.tsx';
import { RepositoryFrame } from '../../parts/repository/repository-frame.tsx';
import type { CodeProps } from './code-props.ts';
import { FileView } from './file-view.tsx';
import { FolderView } from './folder-view.tsx';
import { GoToFile } from './go-to-file.tsx';
import { crumbsOf, isFolder, withoutSlash } from './paths.ts';

export function BrowsePage() {
  const { repositoryId } = useParams({ from: '/signed-in/repositories/$repositoryId' });
  const { path = '', ref } = useSearch({ from: '/signed-in/repositories/$repositoryId' });
  return (
    <RepositoryFrame repositoryId={repositoryId} title={withoutSlash(path)} needsCode>
      {(repository) => <Code repository={repository} at={ref} path={path} />}
    </RepositoryFrame>
  );
}

function Code({ repository, at, path }: CodeProps) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  const [finding, setFinding] = useState(false);
  usePageShortcuts([
    {
      keys: ['t'],
      meaning: 'Go to file',
      act() {
        setFinding(true);
        return true;
      },
    },
    {
      keys: ['/'],
      meaning: 'Search code',
      act() {
        const params = { repositoryId: repository.id };
        void navigate({ to: '/repositories/$repositoryId/search', params, search: at ? { ref: at } : {} });
        return true;
      },
    },
  ]);
  const place = { repository: repository.name, ref: at };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <RefPicker
          repository={repository}
          current={at}
          onPick={(ref) => void navigate({ search: { ...(ref && { ref }), ...(path && { path }) } })}
        />
        {path !== '' && (
          <div className="flex min-w-0 items-center gap-1 max-sm:order-last max-sm:w-full">
            <Crumbs repository={repository} at={at} path={path} />
            <CopyPath path={withoutSlash(path)} />
          </div>
        )}
        <span className="ml-auto">
          <Button onClick={() => setFinding(true)}>
            <Search className="size-4" aria-hidden="true" />
            Go to file
            <span className="hidden lg:block" aria-hidden="true">
              <Keys keys={['t']} />
            </span>
          </Button>
        </span>
      </div>
      {isFolder(path) ? (
        <FolderView repository={repository} at={at} path={path} />
      ) : (
        <FileView key={path} repository={repository} at={at} path={path} />
      )}
      <GoToFile
        open={finding}
        place={place}
        onClose={() => setFinding(false)}
        onOpen={(file) => {
          setFinding(false);
          void navigate({ search: { ...(at && { ref: at }), path: file } });
        }}
      />
    </>
  );
}

function CopyPath({ path }: { path: string }) {
  const toast = useToast();
  const copy = async () => {
    if (await copyText(path)) toast('Path copied');
    else toast('Couldn’t copy the path', 'danger');
  };
  return (
    <IconButton name="Copy path" onClick={() => void copy()}>
      <Copy className="size-4" aria-hidden="true" />
    </IconButton>
  );
}

function Crumbs({ repository, at, path }: CodeProps) {
  const crumbs = crumbsOf(path);
  const root = { name: repository.name.slice(repository.name.lastIndexOf('/') + 1), path: '' };
  const all = [root, ...crumbs];
  return (
    <nav aria-label="Path" className="min-w-0 text-sm">
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        {all.map((crumb, index) => {
          const isLast = index === all.length - 1;
          return (
            <li key={crumb.path} className="flex min-w-0 items-center gap-x-1.5">
              {index > 0 && (
                <span aria-hidden="true" className="text-quiet">
                  /
                </span>
              )}
              {isLast ? (
                <span aria-current="page" className="font-medium wrap-anywhere">
                  <MarkedText text={crumb.name} />
                </span>
              ) : (
                <Link
                  to="/repositories/$repositoryId"
                  params={{ repositoryId: repository.id }}
                  search={{ ...(at && { ref: at }), ...(crumb.path && { path: crumb.path }) }}
                  className="wrap-anywhere text-accent hover:underline"
                >
                  <MarkedText text={crumb.name} />
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
