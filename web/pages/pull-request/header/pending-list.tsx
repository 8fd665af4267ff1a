/** The pending comments of a review that is about to be submitted, with links to their places. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { ProblemNotice } from '../../../components/form.tsx';
import type { PendingComment } from '../../../parts/pull-request/threads/pending-data.ts';
import { usePendingActions } from '../../../parts/pull-request/threads/pending-data.ts';
import { PendingCommentView } from '../threads/pending-comment.tsx';
import { linesText } from '../threads/place-words.ts';

export function PendingList(props: {
  pullRequestId: string;
  comments: readonly PendingComment[];
  /** A link was followed. */
  onLeave(): void;
}) {
  const { comments, onLeave, pullRequestId } = props;
  const actions = usePendingActions(pullRequestId);
  const [state, setState] = useState<'shown' | 'asking' | 'discarding'>('shown');
  const [problem, setProblem] = useState<Error>();
  const discard = async () => {
    setState('discarding');
    await actions.discard().catch(setProblem);
    setState('shown');
  };
  return (
    <section aria-label="Pending comments" className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-medium">
          {comments.length === 1 ? '1 pending comment' : `${comments.length} pending comments`}
        </h3>
        {state === 'shown' ? (
          <Button size="small" look="quiet" onClick={() => setState('asking')}>
            Discard all…
          </Button>
        ) : (
          <span role="alert" className="flex flex-wrap items-center gap-2 text-sm">
            Discard all pending comments?
            <Button size="small" autoFocus onClick={() => setState('shown')}>
              Keep
            </Button>
            <Button size="small" look="destroy" busy={state === 'discarding'} onClick={() => void discard()}>
              Discard
            </Button>
          </span>
        )}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      <ul className="grid max-h-72 grid-cols-1 gap-2 overflow-y-auto">
        {comments.map((comment) => (
          <li key={comment.id} className="rounded-lg border border-line px-3 py-2">
            <PendingCommentView
              comment={comment}
              actions={actions}
              place={
                <Link
                  to="/pull-requests/$pullRequestId"
                  params={{ pullRequestId }}
                  search={{ view: 'files', discussion: comment.discussionId ?? comment.id }}
                  onClick={onLeave}
                  className="rounded hover:text-accent hover:underline"
                >
                  {comment.discussionId !== null && 'Reply in '}
                  <span className="font-mono">{comment.file}</span>
                  {comment.endLine > 0 && `, ${linesText(comment.position ?? comment).toLowerCase()}`}
                </Link>
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
