/** A folder's README, formatted as Markdown. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';
import { ExternalImages, MarkdownView } from '../../markdown/index.ts';
import { type CodePlace, fileQuery } from './code-queries.ts';
import { MarkedText } from './marked-text.tsx';

/** A default export, because React.lazy needs one. */
export default function Readme({ place, path }: { place: CodePlace; path: string }) {
  const { data } = useInfiniteQuery(fileQuery(place, path));
  const [first] = data?.pages ?? [];
  if (first?.kind !== 'text' || first.text.trim() === '') return null;
  return (
    <section aria-label="README" className="mt-6 overflow-hidden rounded-xl border border-line bg-raised">
      <h2 className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-2 text-sm font-medium">
        <BookOpenText className="size-4 text-quiet" aria-hidden="true" />
        <MarkedText text={path.slice(path.lastIndexOf('/') + 1)} />
      </h2>
      <div className="px-4 py-5 sm:px-8 sm:py-7">
        <ExternalImages value="omit">
          <MarkdownView content={first.text} />
        </ExternalImages>
      </div>
    </section>
  );
}
