/** The comments beside the text, each at the height of its words. */
import type { ReactNode, RefObject } from 'react';
import type { SourceRange } from '../../../markdown/index.ts';
import { estimateHeight } from '../margin/estimate-height.ts';
import { type CardState, Margin, type MarginEntry } from '../margin/margin.tsx';
import { CommentsSkeleton, FilterSkeleton } from '../threads/comments-skeleton.tsx';
import { FoldedCard } from '../threads/folded-card.tsx';
import { ThreadSteps } from '../threads/thread-steps.tsx';
import { placeOf, type Thread } from '../threads/threads.ts';
import { NEW, type useReader } from './use-reader.ts';

/** The height of a new comment's card until it is measured. */
const COMPOSER_HEIGHT = 180;

export function CommentsMargin(props: {
  reader: ReturnType<typeof useReader>;
  text: RefObject<HTMLDivElement | null>;
  /** Changes when the text is rendered again. */
  textState: string | undefined;
  filter: ReactNode;
  /** How many placeholders are shown until the comments are loaded. */
  commentCount: number;
  newComment: ReactNode;
  cardOf(thread: Thread, quoted: 'line' | undefined): ReactNode;
  onStep(by: number): boolean;
}) {
  const { activate, activeId, query, threads, writing } = props.reader;
  const inMargin = (each: Thread) => (state: CardState) =>
    state.isFolded ? (
      <FoldedCard thread={each} hasQuote={!state.isBeside} onOpen={() => activate(each.id)} />
    ) : (
      props.cardOf(each, state.isBeside ? undefined : 'line')
    );
  return (
    <section aria-label="Comments" className="min-w-0">
      <div
        data-sticky=""
        className="sticky top-(--plan-top) z-[15] -mt-2 flex h-12 items-center gap-1 bg-page"
      >
        {query.isPending && <FilterSkeleton />}
        {query.data && (
          <>
            <div className="min-w-0 flex-1">{props.filter}</div>
            <ThreadSteps threads={threads} activeId={activeId} onStep={props.onStep} />
          </>
        )}
      </div>
      {query.isPending && <CommentsSkeleton count={props.commentCount} />}
      <Margin
        entries={marginEntries(threads.beside, writing?.place, props.newComment, inMargin)}
        activeId={activeId}
        text={props.text}
        textState={props.textState}
      />
    </section>
  );
}

/** In text order, including the one that is being written. */
function marginEntries(
  beside: readonly Thread[],
  place: SourceRange | undefined,
  newComment: ReactNode,
  cardOf: (thread: Thread) => MarginEntry['card'],
): MarginEntry[] {
  const entries = beside.map((thread) => ({
    id: thread.id,
    card: cardOf(thread),
    estimate: estimateHeight(thread),
    start: placeOf(thread)!.start,
  }));
  if (place) entries.push({ id: NEW, card: () => newComment, estimate: COMPOSER_HEIGHT, start: place.start });
  return entries.sort((one, other) => one.start - other.start);
}
