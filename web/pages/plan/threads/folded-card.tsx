/** A thread in a crowded margin: its author and beginning. A click opens it beside its sentence. */
import { Check, MessageSquare } from 'lucide-react';
import { Avatar } from '../../../components/avatar.tsx';
import { Time } from '../../../components/time.tsx';
import { isDismissed, quoteOf, type Thread } from './threads.ts';

const EXCERPT_LENGTH = 200;

export function FoldedCard(props: { thread: Thread; hasQuote: boolean; onOpen(): void }) {
  const { hasQuote, onOpen, thread } = props;
  const { id, replies, root } = thread;
  return (
    <article
      data-thread={id}
      tabIndex={-1}
      aria-label={`Thread by ${root.author.name}`}
      data-active={false}
      className="h-full outline-none"
    >
      <button
        type="button"
        onClick={onOpen}
        className={`grid h-full w-full grid-cols-1 content-center overflow-hidden rounded-xl border border-line bg-raised px-3 text-left text-sm transition-colors hover:border-strong-line ${isDismissed(thread) ? 'text-quiet' : ''}`}
      >
        {hasQuote && (
          <span className="mb-2">
            <QuoteLine text={quoteOf(root)} />
          </span>
        )}
        <span className="flex h-5 items-center gap-1.5">
          <Avatar person={root.author} size="small" />
          <span className="min-w-0 truncate font-semibold">{root.author.name}</span>
          <span className="shrink-0 text-xs text-quiet">
            <Time at={root.createdAt} />
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-1 text-xs text-quiet">
            {root.addressed && <Check className="size-3.5 text-good" role="img" aria-label="Addressed" />}
            {replies.length > 0 && (
              <>
                <MessageSquare className="size-3.5" aria-hidden="true" />
                {replies.length}
                <span className="sr-only">{replies.length === 1 ? ' reply' : ' replies'}</span>
              </>
            )}
          </span>
        </span>
        <span className="truncate leading-5">{excerptOf(root.body)}</span>
      </button>
    </article>
  );
}

/** One line of a fixed height that the margin's layout relies on. */
export function QuoteLine({ text }: { text: string | undefined }) {
  return (
    <span
      data-quote=""
      className="block h-[18px] truncate border-l-2 border-warn/60 pl-2 text-xs leading-[18px] text-quiet"
    >
      {text}
    </span>
  );
}

/** The beginning without Markdown syntax. */
function excerptOf(body: string): string {
  return body
    .slice(0, EXCERPT_LENGTH)
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
