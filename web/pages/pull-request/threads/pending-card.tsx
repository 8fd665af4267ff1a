/** A pending comment between the lines that it is about. */
import { useLayoutEffect, useRef } from 'react';
import type { PendingActions, PendingComment } from '../../../parts/pull-request/threads/pending-data.ts';
import { CodeExcerpt } from './code-excerpt.tsx';
import { namedLines, positionAt } from './discussion-place.ts';
import { PendingCommentView } from './pending-comment.tsx';
import { linesText } from './place-words.ts';

export function PendingCard(props: {
  comment: PendingComment;
  actions: PendingActions;
  /** The commit whose lines are shown around it. */
  commit: string;
  takesFocus: boolean;
  onFocused(): void;
}) {
  const { actions, comment, commit, onFocused, takesFocus } = props;
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!takesFocus) return;
    card.current?.focus({ preventScroll: true });
    onFocused();
  }, [takesFocus, onFocused]);
  const outcome = positionAt(comment, commit)?.outcome;
  const lines = namedLines(comment, commit);
  const isElsewhere = outcome === 'changed' || outcome === 'gone';
  return (
    <article
      ref={card}
      data-discussion={comment.id}
      tabIndex={-1}
      aria-label="Pending comment"
      className="grid max-w-[56rem] grid-cols-1 gap-2 rounded-xl border border-warn/50 border-dashed bg-raised p-3 outline-none focus:border-accent/70"
    >
      {isElsewhere && comment.commentedCode !== '' && (
        <CodeExcerpt discussion={comment} lines={lines} label="At the time of the comment" />
      )}
      <PendingCommentView
        comment={comment}
        actions={actions}
        place={`${linesText(lines)}${comment.side === 'old' ? ' (old)' : ''}. Only you see this.`}
      />
    </article>
  );
}
