/** A folder's README, formatted as Markdown. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';
import { fileQuery } from '../../parts/code/code-queries.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';
import type { CodeProps } from './code-props.ts';
import { RepositoryMarkdown } from './repository-markdown.tsx';

/** A default export, because React.lazy needs one. */
export default function Readme({ repository, at, path }: CodeProps) {
  const { data } = useInfiniteQuery(fileQuery({ repository: repository.name, ref: at }, path));
  const [first] = data?.pages ?? [];
  if (first?.kind !== 'text' || first.text.trim() === '') return null;
  return (
    <section aria-label="README" className="mt-6 overflow-hidden rounded-xl border border-line bg-raised">
      <h2 className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-2 text-sm font-medium">
        <BookOpenText className="size-4 text-quiet" aria-hidden="true" />
        <MarkedText text={path.slice(path.lastIndexOf('/') + 1)} />
      </h2>
      <div className="px-4 py-5 sm:px-8 sm:py-7">
        <RepositoryMarkdown {...{ repository, at, path, commit: first.commit, content: first.text }} />
      </div>
    </section>
  );
}
