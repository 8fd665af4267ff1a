/** On a narrow page: buttons at the bottom that open the contents or the comments over the text. */
import { List, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { formatCount } from '../format.ts';
import { ThreadSheet } from '../threads/thread-sheet.tsx';

/** The open sheet: the contents, the draft, or the threads with these ids. */
export type Sheet = 'contents' | 'writing' | readonly string[];

export function NarrowBar(props: {
  sheet: Sheet | undefined;
  onSheet(sheet: Sheet | undefined): void;
  contents: ReactNode;
  writing: ReactNode;
  /** Including replies, as in the list of plans. */
  commentCount: number | undefined;
  threads: readonly { id: string; card: ReactNode }[];
  /** Shown once above the threads. */
  lead: string | undefined;
}) {
  const { commentCount, contents, lead, onSheet, sheet, threads, writing } = props;
  const shown = Array.isArray(sheet) ? threads.filter(({ id }) => sheet.includes(id)) : [];
  return (
    <>
      <div className="sticky bottom-3 z-10 mx-auto mt-6 flex w-fit gap-1 rounded-full border border-line bg-raised p-1 shadow-lg">
        {contents && (
          <BarButton onClick={() => onSheet('contents')}>
            <List className="size-4" aria-hidden="true" />
            Contents
          </BarButton>
        )}
        {writing ? (
          <BarButton onClick={() => onSheet('writing')}>Continue writing</BarButton>
        ) : (
          <BarButton disabled={threads.length === 0} onClick={() => onSheet(threads.map(({ id }) => id))}>
            <MessageSquare className="size-4" aria-hidden="true" />
            {commentCount === undefined ? 'Comments' : formatCount(commentCount, 'comment')}
          </BarButton>
        )}
      </div>
      <ThreadSheet
        open={sheet !== undefined}
        title={sheet === 'contents' ? 'Contents' : sheet === 'writing' ? 'New comment' : 'Comments'}
        onClose={() => onSheet(undefined)}
      >
        {sheet === 'contents' && contents}
        {sheet === 'writing' && writing}
        {shown.length > 0 && lead && <p className="px-1 text-[0.8125rem] text-quiet">{lead}</p>}
        {shown.map(({ card, id }) => (
          <div key={id}>{card}</div>
        ))}
      </ThreadSheet>
    </>
  );
}

function BarButton(props: { children: ReactNode; disabled?: boolean; onClick(): void }) {
  return <Button size="small" look="quiet" className="rounded-full!" {...props} />;
}
