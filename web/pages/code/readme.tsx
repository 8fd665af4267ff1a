/** A folder's README, formatted as Markdown. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpenText } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { FileImages, FileLinks, MarkdownView } from '../../markdown/index.ts';
import { fileQuery } from '../../parts/code/code-queries.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import type { CodeProps } from './code-props.ts';
import { targetOf } from './paths.ts';
import { RepositoryImage } from './repository-image.tsx';

/** A default export, because React.lazy needs one. */
export default function Readme({ repository, at, path }: CodeProps) {
  const { data } = useInfiniteQuery(fileQuery({ repository: repository.name, ref: at }, path));
  const linkToFile = useCallback(
    (address: string, children: ReactNode) => {
      const to = targetOf(path, decoded(address.replace(/[?#].*$/s, '')));
      if (!to) return undefined;
      const search = { ...(at && { ref: at }), path: to };
      return (
        <Link to="/repositories/$repositoryId" params={{ repositoryId: repository.id }} search={search}>
          {children}
        </Link>
      );
    },
    [repository.id, at, path],
  );
  const [first] = data?.pages ?? [];
  const commit = first?.commit;
  const showImage = useCallback(
    (address: string, alternative: string, instead: ReactNode) => {
      const to = targetOf(path, decoded(address.replace(/[?#].*$/s, '')));
      if (!to) return instead;
      const place = { repository: repository.name, ref: commit };
      return <RepositoryImage place={place} path={to} alternative={alternative} instead={instead} />;
    },
    [repository.name, commit, path],
  );
  if (first?.kind !== 'text' || first.text.trim() === '') return null;
  return (
    <section aria-label="README" className="mt-6 overflow-hidden rounded-xl border border-line bg-raised">
      <h2 className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-2 text-sm font-medium">
        <BookOpenText className="size-4 text-quiet" aria-hidden="true" />
        <MarkedText text={path.slice(path.lastIndexOf('/') + 1)} />
      </h2>
      <div className="px-4 py-5 sm:px-8 sm:py-7">
        <FileImages value={showImage}>
          <FileLinks value={linkToFile}>
            <MarkdownView content={first.text} />
          </FileLinks>
        </FileImages>
      </div>
    </section>
  );
}

/** Addresses in Markdown may be percent-encoded. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
