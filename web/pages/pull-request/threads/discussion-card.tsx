/** A discussion: where it is, its comments, its status with the reason, and what can be done about it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { oneLine } from '../../../../src/engines/text/index.ts';
import { Button } from '../../../components/button.tsx';
import { hasDraft, replyDraft } from '../../../components/drafts.ts';
import { Keys } from '../../../components/kbd.tsx';
import { SuggestionActions, SuggestionBase } from '../../../markdown/index.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import { isDismissed, StatusBadge, Why } from '../../../parts/pull-request/threads/discussion-status.tsx';
import { usePending, usePendingActions } from '../../../parts/pull-request/threads/pending-data.ts';
import { CommentSuggestion } from '../suggestions/comment-suggestion.tsx';
import { CodeExcerpt } from './code-excerpt.tsx';
import { DeletedPlace } from './delete-comment.tsx';
import { DiscussionComment } from './discussion-comment.tsx';
import { namedLines, positionAt } from './discussion-place.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { PendingCommentView } from './pending-comment.tsx';
import { linesText } from './place-words.ts';
import { ReplyComposer } from './reply-composer.tsx';
import type { DiscussionActions } from './use-discussion-actions.ts';

export interface DiscussionCardProps {
  discussion: Discussion;
  actions: DiscussionActions;
  isActive: boolean;
  /** The commit whose lines are shown around it; default: the newest head. */
  commit?: string;
  /** Shows the file and the code, where the card isn't below them. */
  hasCode?: boolean;
  /** It was just opened or jumped to. */
  takesFocus?: boolean;
  onFocused?(): void;
  onActivate(id: string | undefined): void;
  onShowHunk: ((commit: string, file: string, line: number) => void) | undefined;
}

/** A long discussion shows only the last replies; a button shows the others. */
const REPLIES_SHOWN = 3;

export function DiscussionCard(props: DiscussionCardProps) {
  const { commit, discussion, hasCode, isActive, onActivate } = props;
  const { comments, id, status } = discussion;
  const card = useRef<HTMLElement>(null);
  // One that is settled shows a line; opening it is remembered while it is on the page.
  const [isOpen, setIsOpen] = useState(status === 'open');
  const shownStatus = useRef(status);
  useEffect(() => {
    if (shownStatus.current !== status) setIsOpen(status === 'open' || isActive);
    shownStatus.current = status;
  }, [status, isActive]);
  const { onFocused, takesFocus } = props;
  useLayoutEffect(() => {
    if (!takesFocus) return;
    card.current?.focus({ preventScroll: true });
    onFocused?.();
  }, [takesFocus, onFocused]);
  // A pointer activates on release: the hints of keys move the buttons, and a press would miss its button.
  const isPressed = useRef(false);
  const release = () => {
    isPressed.current = false;
  };
  const isShown = isOpen || isActive;
  const [first] = comments;
  const Chevron = isShown ? ChevronDown : ChevronRight;
  return (
    <article
      ref={card}
      data-discussion={id}
      tabIndex={-1}
      aria-label={`Discussion by ${discussion.author.name}`}
      data-active={isActive}
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
      onFocus={() => !isPressed.current && onActivate(id)}
      onClick={() => onActivate(id)}
      onKeyDown={(event) => event.key === 'Escape' && onActivate(undefined)}
      className={`grid ${hasCode ? '' : 'max-w-[56rem]'} grid-cols-1 gap-2.5 rounded-xl border border-line bg-raised p-3 text-sm outline-none data-[active=true]:border-accent/70 data-[active=true]:shadow-md`}
    >
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {status !== 'open' && (
          <button
            type="button"
            aria-expanded={isShown}
            aria-label={isShown ? 'Hide discussion' : 'Show discussion'}
            onClick={(event) => {
              setIsOpen(!isShown);
              if (!isShown) return;
              event.stopPropagation();
              onActivate(undefined);
            }}
            className="-ml-1 inline-flex size-6 shrink-0 items-center justify-center rounded text-quiet hover:bg-sunken hover:text-text"
          >
            <Chevron className="size-4" aria-hidden="true" />
          </button>
        )}
        <StatusBadge status={status} isDismissed={isDismissed(discussion)} />
        <Where discussion={discussion} commit={commit} hasPath={hasCode} />
        {!isShown && first && (
          <span className="min-w-0 flex-1 basis-40 truncate text-quiet">
            {first.author.name}: {oneLine(first.body, 160)}
          </span>
        )}
      </div>
      {isShown && <Inside {...props} card={card} />}
    </article>
  );
}

function Inside(props: DiscussionCardProps & { card: React.RefObject<HTMLElement | null> }) {
  const { actions, card, commit, discussion, hasCode, isActive, onShowHunk } = props;
  const { allowedActions, commentedCode, comments, id, status } = discussion;
  const pending = usePending(actions.pullRequestId).filter(({ discussionId }) => discussionId === id);
  const pendingActions = usePendingActions(actions.pullRequestId);
  const [isReplying, setIsReplying] = useState(() => hasDraft(replyDraft(id)));
  const [quote, setQuote] = useState<{ text: string; number: number }>();
  const quoteReply = (text: string) => {
    setQuote((before) => ({ text, number: (before?.number ?? 0) + 1 }));
    setIsReplying(true);
  };
  const [showsAll, setShowsAll] = useState(false);
  const [isDismissing, setIsDismissing] = useState(false);
  const hidden = showsAll || comments.length <= REPLIES_SHOWN + 2 ? 0 : comments.length - REPLIES_SHOWN - 1;
  const shown = hidden === 0 ? comments : [comments[0]!, ...comments.slice(hidden + 1)];
  const outcome = positionAt(discussion, commit)?.outcome;
  const isElsewhere = outcome === 'gone' || outcome === 'changed';
  const stopReplying = () => {
    setIsReplying(false);
    setQuote(undefined);
    card.current?.focus({ preventScroll: true });
  };
  return (
    <>
      {(hasCode || isElsewhere) && commentedCode !== '' && (
        <CodeExcerpt
          discussion={discussion}
          lines={namedLines(discussion, commit)}
          label={isElsewhere ? 'At the time of the comment' : undefined}
        />
      )}
      <SuggestionBase value={commentedCode}>
        {shown.map((comment, index) => (
          <div key={comment.id} className="grid grid-cols-1 gap-2.5">
            {deletedBefore(discussion, shown, index).map((deleted) => (
              <DeletedPlace key={deleted.id} deleted={deleted} />
            ))}
            <SuggestionActions
              value={(start) => (
                <CommentSuggestion
                  discussion={discussion}
                  comment={comment}
                  start={start}
                  isActive={isActive}
                />
              )}
            >
              <DiscussionComment
                comment={comment}
                onEdit={
                  allowedActions.includes('reply')
                    ? (body, expectedBody) => actions.edit(discussion, comment.id, body, expectedBody)
                    : undefined
                }
                onQuote={allowedActions.includes('reply') ? quoteReply : undefined}
                pullRequestId={actions.pullRequestId}
                mayReact={allowedActions.includes('reply')}
                deletes={actions.mayDelete(comment) ? (comments.length === 1 ? 'only' : 'one') : undefined}
              />
            </SuggestionActions>
            {index === 0 && hidden > 0 && (
              <button
                type="button"
                onClick={() => setShowsAll(true)}
                className="justify-self-start rounded text-xs font-medium text-accent hover:underline"
              >
                {hidden === 1 ? 'Show 1 earlier reply' : `Show ${hidden} earlier replies`}
              </button>
            )}
          </div>
        ))}
        {deletedBefore(discussion, shown, shown.length).map((deleted) => (
          <DeletedPlace key={deleted.id} deleted={deleted} />
        ))}
      </SuggestionBase>
      {pending.map((comment) => (
        <PendingCommentView
          key={comment.id}
          comment={comment}
          actions={pendingActions}
          place="Only you see this."
        />
      ))}
      <Why
        discussion={discussion}
        onShowHunk={onShowHunk}
        onConfirm={() => void actions.resolve(discussion)}
      />
      {isReplying ? (
        <ReplyComposer
          discussion={discussion}
          actions={actions}
          pendingActions={pendingActions}
          quote={quote}
          onLeave={stopReplying}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-1.5">
          {allowedActions.includes('reply') && (
            <Button size="small" data-action="reply" onClick={() => setIsReplying(true)}>
              Reply
              {isActive && <Keys keys={['r']} />}
            </Button>
          )}
          {allowedActions.includes('resolve') && (
            <Button
              size="small"
              look="quiet"
              data-action="settle"
              onClick={() => void actions.resolve(discussion)}
            >
              {status === 'addressed' ? 'Confirm and resolve' : 'Resolve'}
              {isActive && <Keys keys={['e']} />}
            </Button>
          )}
          {discussion.author.kind === 'reviewer' &&
            status === 'open' &&
            allowedActions.includes('resolve') && (
              <Button size="small" look="quiet" onClick={() => setIsDismissing(true)}>
                Dismiss…
              </Button>
            )}
          {discussion.author.kind === 'reviewer' &&
            status === 'open' &&
            allowedActions.includes('reply') &&
            !allowedActions.includes('resolve') && (
              <span className="text-xs text-quiet">
                Someone else has to resolve or dismiss a secret in your pull request.
              </span>
            )}
          {allowedActions.includes('reopen') && (
            <Button
              size="small"
              look="quiet"
              data-action={allowedActions.includes('resolve') ? undefined : 'settle'}
              onClick={() => void actions.reopen(discussion)}
            >
              Reopen
            </Button>
          )}
        </div>
      )}
      <DismissDialog
        discussion={discussion}
        pullRequestId={actions.pullRequestId}
        open={isDismissing}
        onClose={() => setIsDismissing(false)}
      />
    </>
  );
}

/** The deleted comments between this shown one and the one before it. */
function deletedBefore(
  { deletedComments }: Discussion,
  shown: readonly Discussion['comments'][number][],
  index: number,
): Discussion['deletedComments'] {
  const after = shown[index - 1]?.createdAt ?? '';
  const until = shown[index]?.createdAt;
  return deletedComments.filter(
    ({ createdAt }) => createdAt >= after && (until === undefined || createdAt < until),
  );
}

/** Its lines, and what became of them. */
function Where(props: { discussion: Discussion; commit: string | undefined; hasPath: boolean | undefined }) {
  const { commit, discussion, hasPath } = props;
  const named = namedLines(discussion, commit);
  const position = positionAt(discussion, commit);
  return (
    <span className="flex max-w-full min-w-0 items-center gap-2 text-xs text-quiet">
      {hasPath && (
        <span className="min-w-0 truncate font-mono" title={named.file}>
          {named.file}
        </span>
      )}
      <span className="shrink-0">
        {linesText(named)}
        {discussion.side === 'old' && ' (old)'}
      </span>
      {position?.outcome === 'moved' && <span className="shrink-0">· moved</span>}
      {position?.outcome === 'changed' && (
        <span className="shrink-0">
          · changed after this comment
          {linesText(position) !== linesText(named) && `, now ${linesText(position).toLowerCase()}`}
        </span>
      )}
      {position?.outcome === 'gone' && <span className="shrink-0">· removed after this comment</span>}
    </span>
  );
}
