/** The content of a file: its lines, its formatted text, an image, or why it can't be shown. */
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { LoadingRows } from '../../components/page.tsx';
import type { FilePart } from '../../parts/code/code-queries.ts';
import { inOneLine, MarkedText } from '../../parts/code/marked-text.tsx';
import { formatBytes } from '../../parts/fields/format-amounts.ts';
import type { CodeProps } from './code-props.ts';
import { FileLines } from './file-lines.tsx';
import { targetOf } from './paths.ts';
import { RepositoryImage } from './repository-image.tsx';

const MarkdownFile = lazy(() => import('./markdown-file.tsx'));

export function FileContent({
  repository,
  at,
  path,
  parts,
  isFormatted,
  hasBlame,
}: CodeProps & { parts: FilePart[]; isFormatted: boolean; hasBlame: boolean }) {
  const [file] = parts as [FilePart];
  if (file.kind === 'binary') {
    const instead = <Instead title="Binary file">{formatBytes(file.size)}, can’t be shown as text.</Instead>;
    if (!SHOWN_IMAGE.test(path)) return instead;
    return <ImageFile repository={repository} at={file.commit} path={path} instead={instead} />;
  }
  if (file.kind === 'too_large')
    return <Instead title="This file is too large to show">{formatBytes(file.size)}.</Instead>;
  if (file.kind === 'symlink')
    return <SymbolicLink repository={repository} at={at} path={path} target={file.text} />;
  if (file.size === 0) return <Instead title="This file is empty" />;
  if (isFormatted) {
    return (
      <Suspense fallback={<LoadingRows rows={8} />}>
        <MarkdownFile {...{ repository, at, path, commit: file.commit, content: file.text }} />
      </Suspense>
    );
  }
  return (
    <>
      {file.kind === 'lfs' && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-sm text-warn">
          This file is stored in Git LFS. The repository holds only this pointer.
        </p>
      )}
      <FileLines repository={repository} path={path} parts={parts} hasBlame={hasBlame} />
    </>
  );
}

const SHOWN_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

function ImageFile({ repository, at, path, instead }: CodeProps & { instead: ReactNode }) {
  return (
    <div className="grid justify-items-center p-4 [&_img]:max-w-full">
      <RepositoryImage
        place={{ repository: repository.name, ref: at }}
        path={path}
        alternative={inOneLine(path)}
        instead={instead}
      />
    </div>
  );
}

function Instead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <p className="font-semibold">{title}</p>
      {children && <p className="text-sm text-quiet">{children}</p>}
    </div>
  );
}

function SymbolicLink({ repository, at, path, target }: CodeProps & { target: string }) {
  const to = targetOf(path, target);
  return (
    <Instead title="Symbolic link">
      It points to{' '}
      {to === undefined ? (
        <code className="font-mono wrap-anywhere">
          <MarkedText text={target} />
        </code>
      ) : (
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: repository.id }}
          search={{ ...(at && { ref: at }), ...(to && { path: to }) }}
          className="font-mono wrap-anywhere text-accent underline"
        >
          <MarkedText text={target} />
        </Link>
      )}
      {to === undefined && ', which is outside the repository'}.
    </Instead>
  );
}
