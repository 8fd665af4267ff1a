/** The plan's text, with the outline on one side and comments on the other. */
import { useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ErrorState } from '../../../components/page.tsx';
import { MarkdownView, type SelectedText, type SourceRange, useOutline } from '../../../markdown/index.ts';
import type { Plan, PlanText } from '../plan-data.ts';
import { CommentsSkeleton } from '../threads/comments-skeleton.tsx';
import { Discussion } from '../threads/discussion.tsx';
import { NewComment } from '../threads/new-comment.tsx';
import { ThreadCard, TRIAGE_EXPLANATION } from '../threads/thread-card.tsx';
import { ThreadFilter } from '../threads/thread-filter.tsx';
import { countComments, type Thread } from '../threads/threads.ts';
import { CommentsMargin } from './comments-margin.tsx';
import { NarrowBar, type Sheet } from './narrow-bar.tsx';
import { PlanOutline, useCurrentHeading } from './plan-outline.tsx';
import { SelectionButton } from './selection-button.tsx';
import { leaveThread, nextOf, useSeen } from './show-thread.ts';
import { useCommentKeys } from './use-comment-keys.tsx';
import { useLayoutMode } from './use-layout-mode.ts';
import { NEW, useReader } from './use-reader.ts';
import { useThreadNavigation } from './use-thread-navigation.ts';

interface ReaderProps {
  plan: Plan;
  text: PlanText;
  /** The comment named in the address. */
  thread: string | undefined;
  onShowVersion(version: number): void;
  /** Called when the end of the text has been in view. */
  onRead(): void;
}

const COLUMNS = {
  wide: 'grid-cols-[10rem_minmax(0,46rem)_19rem] gap-x-7',
  middle: 'grid-cols-[minmax(0,46rem)_19rem] gap-x-8',
  narrow: 'grid-cols-1',
};
/** Without comments, the text uses the margin's space too. */
const COLUMNS_WITHOUT_MARGIN = {
  wide: 'grid-cols-[10rem_minmax(0,58rem)] gap-x-7',
  middle: 'grid-cols-[minmax(0,58rem)]',
  narrow: 'grid-cols-1',
};

export function Reader({ plan, text, thread, onShowVersion, onRead }: ReaderProps) {
  const [root, mode] = useLayoutMode<HTMLDivElement>();
  const textElement = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const reader = useReader(plan, text);
  const { activate, activeId, mayWrite, query, threads, writing } = reader;
  const outline = useOutline(text.content);
  const current = useCurrentHeading(textElement, outline);
  const [selected, setSelected] = useState<SelectedText>();
  const [readyContent, setReadyContent] = useState<string>();
  const [sheet, setSheet] = useState<Sheet>();
  const isReady = readyContent === text.content;
  const isLoading = query.isPending;
  const hasMargin = mode !== 'narrow' && (plan.commentCount > 0 || reader.all.length > 0 || !!writing?.place);

  const writeAt = (place?: SourceRange) => {
    getSelection()?.removeAllRanges();
    setSelected(undefined);
    reader.writeAt(place && { start: place.start, end: place.end });
    if (mode === 'narrow') setSheet(place && 'writing');
  };
  const open = (id: string) => {
    activate(id);
    if (mode === 'narrow') setSheet(id === NEW ? 'writing' : [id]);
  };
  const focusedHeading = () => {
    const start = document.activeElement?.getAttribute('data-start');
    const heading = outline.find((entry) => String(entry.start) === start);
    return heading && reader.placeOfHeading(heading);
  };
  const step = useThreadNavigation(reader, {
    ...{ text: textElement, isMargin: mode !== 'narrow', isReady, wanted: thread },
  });
  const sentenceHint = useCommentKeys(textElement, {
    mayWrite,
    focused: focusedHeading,
    comment: writeAt,
    close: () => activeId !== NEW && activate(undefined),
  });
  useSeen(end, isReady, onRead);

  const cardOf = (each: Thread, quoted: 'whole' | 'line' | undefined) => (
    <ThreadCard
      thread={each}
      actions={reader.actions}
      mayWrite={mayWrite}
      version={text.version}
      isActive={each.id === activeId}
      quoted={quoted}
      onActivate={activate}
    />
  );
  const newComment = writing?.place && (
    <NewComment
      seriesId={plan.seriesId}
      quote={text.content.slice(writing.place.start, writing.place.end)}
      onFocus={() => activate(NEW)}
      send={async (body, key) => {
        await reader.send(body, key);
        setSheet(undefined);
      }}
      onLeave={() => {
        reader.write(undefined);
        setSheet(undefined);
      }}
    />
  );
  const contents = outline.length > 1 && (
    <PlanOutline
      outline={outline}
      structure={text.structure}
      current={current}
      onComment={mayWrite ? (entry) => writeAt(reader.placeOfHeading(entry)) : undefined}
      onChoose={() => setSheet(undefined)}
    />
  );
  const filter = <ThreadFilter threads={reader.all} filter={reader.filter} onFilter={reader.setFilter} />;
  return (
    <div ref={root}>
      <div className={`mx-auto grid justify-center ${(hasMargin ? COLUMNS : COLUMNS_WITHOUT_MARGIN)[mode]}`}>
        {mode === 'wide' && (
          <div className="sticky top-20 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto pb-4">
            {contents}
          </div>
        )}
        <div className="min-w-0">
          <div ref={textElement} className="relative" onPointerDown={(event) => leaveThread(event, activate)}>
            <MarkdownView
              content={text.content}
              highlights={reader.highlights}
              onSelect={mayWrite ? setSelected : undefined}
              onHighlightClick={(ids) => open(nextOf(ids, activeId))}
              onReady={() => setReadyContent(text.content)}
            />
            {selected && textElement.current && (
              <SelectionButton
                selected={selected}
                within={textElement.current.getBoundingClientRect()}
                onComment={() => writeAt(selected)}
              />
            )}
          </div>
          <div ref={end} />
          {reader.unfinished !== undefined && (
            <Unfinished version={reader.unfinished} onShow={onShowVersion} />
          )}
          {query.error && !query.data && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {isLoading && !hasMargin && plan.commentCount > 0 && (
            <div className="mt-12 border-t border-line pt-8">
              <CommentsSkeleton count={plan.commentCount} />
            </div>
          )}
          {query.data && (
            <Discussion
              seriesId={plan.seriesId}
              reader={reader}
              hasAll={mode === 'narrow'}
              filter={filter}
              cardOf={(each) => cardOf(each, 'whole')}
            />
          )}
        </div>
        {hasMargin && (
          <CommentsMargin
            reader={reader}
            text={textElement}
            textState={readyContent}
            filter={filter}
            commentCount={plan.commentCount}
            newComment={newComment}
            cardOf={cardOf}
            onStep={step}
          />
        )}
      </div>
      {sentenceHint}
      {mode === 'narrow' && (
        <NarrowBar
          sheet={sheet}
          onSheet={setSheet}
          contents={contents}
          writing={newComment}
          commentCount={query.data && countComments(reader.all)}
          lead={mayWrite ? TRIAGE_EXPLANATION : undefined}
          threads={[...threads.beside, ...threads.orphaned, ...threads.general].map((each) => ({
            id: each.id,
            card: cardOf(each, 'whole'),
          }))}
        />
      )}
    </div>
  );
}

function Unfinished({ version, onShow }: { version: number; onShow(version: number): void }) {
  return (
    <div className="mt-8">
      <Notice>
        <span className="flex flex-wrap items-center justify-between gap-2">
          You have a draft comment on version {version}.
          <Button size="small" onClick={() => onShow(version)}>
            Continue writing
          </Button>
        </span>
      </Notice>
    </div>
  );
}
