/** A thread: its first comment, what later versions did to its sentence, its replies, and its actions. */
import { BellOff, Check, Ellipsis, Link2, Pencil, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Composer } from '../../../components/composer.tsx';
import { copyText } from '../../../components/copy.tsx';
import { hasDraft, replyDraft } from '../../../components/drafts.ts';
import { Menu, MenuItem } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toast.tsx';
import { MarkdownText } from '../../../markdown/index.ts';
import { ChangedWords } from '../comparison/changed-words.tsx';
import { CommentView, TriageBadge } from './comment-view.tsx';
import { QuoteLine } from './folded-card.tsx';
import type { ThreadComment } from './thread-data.ts';
import { changedWords, isDismissed, quoteOf, type Thread } from './threads.ts';
import type { ThreadActions } from './use-thread-actions.ts';

export interface ThreadCardProps {
  thread: Thread;
  actions: ThreadActions;
  mayWrite: boolean;
  version: number;
  isActive: boolean;
  /** Outside the margin the sentence is quoted; in the margin in one line, and only when it is not beside the card. */
  quoted?: 'whole' | 'line';
  onActivate(id: string | undefined): void;
}

/** A long thread shows only the last replies; a button shows the others. */
const REPLIES_SHOWN = 2;

export function ThreadCard(props: ThreadCardProps) {
  const { actions, isActive, mayWrite, onActivate, quoted, thread, version } = props;
  const { id, replies, root } = thread;
  const card = useRef<HTMLElement>(null);
  const [isReplying, setIsReplying] = useState(() => hasDraft(replyDraft(id)));
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll || replies.length <= REPLIES_SHOWN + 1 ? 0 : replies.length - REPLIES_SHOWN;
  const quote = quoted && quoteOf(root);
  return (
    <article
      ref={card}
      data-thread={id}
      tabIndex={-1}
      aria-label={`Thread by ${root.author.name}`}
      data-active={isActive}
      data-dismissed={isDismissed(thread)}
      onFocus={() => onActivate(id)}
      onKeyDown={(event) => event.key === 'Escape' && onActivate(undefined)}
      className="group grid grid-cols-1 gap-2 rounded-xl border border-line bg-raised p-3 text-sm outline-none transition-shadow data-[active=true]:border-accent/60 data-[active=true]:shadow-lg data-[active=true]:shadow-black/10"
    >
      {quote !== undefined &&
        (quoted === 'line' ? (
          <QuoteLine text={quote} />
        ) : (
          <Quote text={quote} isGone={root.placement?.result === 'orphaned'} />
        ))}
      <CommentView
        comment={root}
        mayWrite={mayWrite}
        version={version}
        onEdit={(body) => actions.edit(root, body)}
        menu={(edit) => <ThreadMenu thread={thread} actions={actions} onEdit={edit} />}
      />
      <PlacementNote comment={root} />
      {replies.length > 0 && (
        <div className="grid grid-cols-1 gap-3 border-t border-line pt-3">
          {hidden > 0 && (
            <button
              type="button"
              onClick={() => setShowsAll(true)}
              className="justify-self-start rounded text-xs font-medium text-accent hover:underline"
            >
              {hidden === 1 ? 'Show 1 earlier reply' : `Show ${hidden} earlier replies`}
            </button>
          )}
          {replies.slice(hidden).map((reply) => (
            <CommentView
              key={reply.id}
              comment={reply}
              mayWrite={mayWrite}
              version={version}
              onEdit={(body) => actions.edit(reply, body)}
            />
          ))}
        </div>
      )}
      {isReplying && (
        <Composer
          draft={replyDraft(id)}
          label={`Reply to ${root.author.name}`}
          placeholder="Reply"
          action="Reply"
          autoFocus={isActive}
          onSend={async (body, key) => {
            await actions.reply(thread, body, key);
            setIsReplying(false);
            card.current?.focus({ preventScroll: true });
          }}
          preview={(text) => <MarkdownText content={text} />}
          onLeave={() => {
            setIsReplying(false);
            card.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {mayWrite && !isReplying && (
        <div className="flex flex-wrap items-center gap-1">
          <Button size="small" look="quiet" className="-ml-1.5" onClick={() => setIsReplying(true)}>
            Reply
          </Button>
          <span className="ml-auto flex gap-1">
            <TriageButton comment={root} actions={actions} to="open" />
            <TriageButton comment={root} actions={actions} to="dismissed" />
          </span>
          {isActive && <TriageHint state={root.triageState} />}
        </div>
      )}
      {!mayWrite && root.triageState !== null && (
        <div>
          <TriageBadge state={root.triageState} />
        </div>
      )}
    </article>
  );
}

/** Text that is no longer in the plan is struck through. */
function Quote({ text, isGone }: { text: string; isGone: boolean }) {
  return (
    <blockquote className="line-clamp-3 border-l-2 border-warn/60 pl-2.5 text-[0.8125rem] wrap-anywhere text-quiet">
      {isGone ? <del>{text}</del> : text}
    </blockquote>
  );
}

/** Says how later versions changed the sentence that the comment is about. */
function PlacementNote({ comment }: { comment: ThreadComment }) {
  const { addressed, placement } = comment;
  const words = changedWords(comment);
  if (!addressed && (!placement || placement.result === 'exact')) return null;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-1.5 text-xs text-quiet">
        {addressed && <Badge kind="good">{`Addressed in v${addressed.version}`}</Badge>}
        {placement?.result === 'moved' && <Badge>Moved</Badge>}
        {placement?.result === 'edited' && !addressed && <Badge kind="warn">Text changed</Badge>}
        {placement?.result === 'orphaned' && (
          <span className="wrap-anywhere">
            {placement.heading === null ? 'Text removed' : `Was under “${placement.heading}”`}
          </span>
        )}
      </div>
      {words && <ChangedWords {...words} />}
    </div>
  );
}

const TRIAGE = {
  open: {
    word: 'Accept',
    icon: Check,
    look: 'aria-pressed:border-good/40 aria-pressed:bg-good-soft aria-pressed:text-good',
  },
  dismissed: {
    word: 'Dismiss',
    icon: X,
    look: 'aria-pressed:border-strong-line aria-pressed:bg-sunken aria-pressed:text-text',
  },
} as const;

/** The text below explains each button; pressing a button again clears the decision. */
function TriageButton(props: { comment: ThreadComment; actions: ThreadActions; to: keyof typeof TRIAGE }) {
  const { actions, comment, to } = props;
  const { icon: Icon, look, word } = TRIAGE[to];
  const isPressed = comment.triageState === to;
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={() => void actions.triage(comment, isPressed ? null : to)}
      className={`inline-flex h-7 items-center gap-1 rounded-full border border-line px-2.5 text-xs font-medium text-quiet transition-colors hover:border-strong-line hover:text-text ${look}`}
    >
      {isPressed && <Icon className="size-3.5" aria-hidden="true" />}
      {word}
    </button>
  );
}

/** Outside the margin it is also shown once above the threads, before any is active. */
export const TRIAGE_EXPLANATION = 'Accept: tell the agent to apply a comment. Dismiss: tell it to ignore it.';

const TRIAGE_HINTS = {
  none: 'Accept: tell the agent to apply this. Dismiss: tell it to ignore this.',
  open: 'Accepted: the agent should apply this.',
  dismissed: 'Dismissed: the agent should ignore this.',
};

function TriageHint({ state }: { state: ThreadComment['triageState'] }) {
  return <p className="basis-full text-xs text-quiet">{TRIAGE_HINTS[state ?? 'none']}</p>;
}

function ThreadMenu(props: { thread: Thread; actions: ThreadActions; onEdit: (() => void) | undefined }) {
  const { actions, onEdit, thread } = props;
  const toast = useToast();
  const { id, isMuted } = thread;
  const copyLink = async () => {
    const link = new URL(location.pathname, location.origin);
    link.searchParams.set('thread', id);
    const isCopied = await copyText(link.href);
    toast(isCopied ? 'Link copied.' : `Copy this link: ${link.href}`);
  };
  return (
    <span className="flex shrink-0 items-center">
      {isMuted && (
        <BellOff className="size-3.5 text-quiet" role="img" aria-hidden={false} aria-label="Muted" />
      )}
      <Menu
        trigger={
          <button
            type="button"
            aria-label="Thread actions"
            className="inline-flex size-7 items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-text"
          >
            <Ellipsis className="size-4" aria-hidden="true" />
          </button>
        }
      >
        {onEdit && (
          <MenuItem icon={<Pencil className="size-4" aria-hidden="true" />} onSelect={onEdit}>
            Edit
          </MenuItem>
        )}
        <MenuItem icon={<Link2 className="size-4" aria-hidden="true" />} onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem
          icon={<BellOff className="size-4" aria-hidden="true" />}
          onSelect={() => void actions.mute(thread, !isMuted)}
        >
          {isMuted ? 'Unmute thread' : 'Mute thread'}
        </MenuItem>
      </Menu>
    </span>
  );
}
