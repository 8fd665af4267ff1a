/** A Markdown file of a repository: its links and images lead to files of the same commit. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { FileImages, FileLinks, MarkdownView } from '../../markdown/index.ts';
import type { CodeProps } from './code-props.ts';
import { linkIn } from './paths.ts';
import { RepositoryImage } from './repository-image.tsx';

interface RepositoryMarkdownProps extends CodeProps {
  commit: string;
  content: string;
  onReady?(): void;
}

export function RepositoryMarkdown({
  at,
  commit,
  content,
  onReady,
  path,
  repository,
}: RepositoryMarkdownProps) {
  const linkToFile = useCallback(
    (address: string, children: ReactNode) => {
      const to = linkIn(path, address);
      if (!to) return undefined;
      const search = { ...(at && { ref: at }), ...(to.path && { path: to.path }) };
      return (
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: repository.id }}
          search={search}
          hash={to.hash}
        >
          {children}
        </Link>
      );
    },
    [repository.id, at, path],
  );
  const showImage = useCallback(
    (address: string, alternative: string, instead: ReactNode) => {
      const to = linkIn(path, address);
      if (!to) return instead;
      const place = { repository: repository.name, ref: commit };
      return <RepositoryImage place={place} path={to.path} alternative={alternative} instead={instead} />;
    },
    [repository.name, commit, path],
  );
  return (
    <FileImages value={showImage}>
      <FileLinks value={linkToFile}>
        <MarkdownView content={content} {...(onReady && { onReady })} />
      </FileLinks>
    </FileImages>
  );
}
