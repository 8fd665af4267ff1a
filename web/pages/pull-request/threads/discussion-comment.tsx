/** One comment of a discussion or of the general conversation. */
import { ExternalLink, GitCommitHorizontal, Pencil, Quote } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../api/queries.ts';
import { Clamp } from '../../../components/clamp.tsx';
import { Composer } from '../../../components/composer.tsx';
import { editDraft, hasDraft } from '../../../components/drafts.ts';
import { Time } from '../../../components/time.tsx';
import { MarkdownText, Tickable } from '../../../markdown/index.ts';
import { type PullRequestComment, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { AuthorAvatar, AuthorName } from '../author-name.tsx';
import { SendingNote } from '../sending-note.tsx';
import { CommentHistory } from './comment-history.tsx';
import { DeleteComment } from './delete-comment.tsx';
import { COMMENT_TEXT, quoteOf } from './quote.ts';
import { ReactionList, ReactionMenu } from './reactions.tsx';

interface DiscussionCommentProps {
  comment: PullRequestComment & { fixedIn?: string | null };
  /** Undefined if it can't be edited here. */
  onEdit?: ((body: string, expectedBody?: string) => Promise<void>) | undefined;
  /** Takes a quote of it into a reply. */
  onQuote?: ((quote: string) => void) | undefined;
  pullRequestId: string;
  mayReact: boolean;
  /** Undefined if this person can't delete it here; `only` if its discussion would go with it. */
  deletes?: 'one' | 'only' | undefined;
}

const ICON_BUTTON =
  'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-text';

export function DiscussionComment(props: DiscussionCommentProps) {
  const { comment, deletes, mayReact, onEdit, onQuote, pullRequestId } = props;
  const { user } = useSession();
  const { author, body, createdAt, fixedIn, id, sending, url } = comment;
  const [isEditing, setIsEditing] = useState(() => hasDraft(editDraft(id)));
  // The edit is made from this text: the same person can save another text on another device, or tick a task.
  const [seen, setSeen] = useState(body);
  const mayEdit = onEdit && author.id === user.id && author.kind !== 'reviewer';
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
      <AuthorAvatar author={author} />
      <div className="min-w-0 [&_.markdown-text]:text-sm">
        <div className="flex min-h-7 items-center gap-2 text-sm">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 leading-tight">
            <AuthorName author={author} />
            <span className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
              <Time at={createdAt} />
              <CommentHistory pullRequestId={pullRequestId} comment={comment} />
              {fixedIn && (
                <span
                  className="inline-flex items-center gap-1"
                  title={`Says that commit ${fixedIn} fixes it`}
                >
                  <GitCommitHorizontal className="size-3.5" aria-hidden="true" />
                  fixed in <code className="font-mono">{shortCommit(fixedIn)}</code>
                </span>
              )}
              <SendingNote sending={sending} />
            </span>
          </div>
          {url && (
            <a
              href={url}
              rel="noreferrer"
              target="_blank"
              title="Open on the code host"
              className={ICON_BUTTON}
            >
              <ExternalLink className="size-3.5" aria-hidden="true" />
              <span className="sr-only">Open on the code host</span>
            </a>
          )}
          {mayReact && comment.reactions && !isEditing && (
            <ReactionMenu pullRequestId={pullRequestId} comment={comment} className={ICON_BUTTON} />
          )}
          {onQuote && !isEditing && (
            <button
              type="button"
              aria-label="Quote reply"
              title="Quote reply"
              data-quote={id}
              // Keeps the selection, which is what is quoted.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onQuote(quoteOf(id, body))}
              className={ICON_BUTTON}
            >
              <Quote className="size-3.5" aria-hidden="true" />
            </button>
          )}
          {mayEdit && !isEditing && (
            <button
              type="button"
              aria-label="Edit comment"
              title="Edit"
              onClick={() => {
                setSeen(body);
                setIsEditing(true);
              }}
              className={ICON_BUTTON}
            >
              <Pencil className="size-3.5" aria-hidden="true" />
            </button>
          )}
          {deletes && !isEditing && (
            <DeleteComment
              pullRequestId={pullRequestId}
              comment={comment}
              isOnly={deletes === 'only'}
              className={ICON_BUTTON}
            />
          )}
        </div>
        {mayEdit && isEditing && body !== seen && (
          <section aria-label="Saved meanwhile" className="mb-2 grid grid-cols-1 gap-1 text-sm">
            <p>Another text was saved while you were editing. Saving replaces it with yours:</p>
            <pre className="max-h-60 overflow-y-auto rounded-md border border-line bg-sunken px-2.5 py-2 font-sans whitespace-pre-wrap wrap-anywhere">
              {body}
            </pre>
          </section>
        )}
        {mayEdit && isEditing ? (
          <Composer
            draft={editDraft(id)}
            initial={body}
            label="Edit comment"
            action="Save"
            onSend={async (text) => {
              // The other text is shown, if there is one.
              await onEdit(text, body);
              setIsEditing(false);
            }}
            onLeave={() => setIsEditing(false)}
            preview={(text) => <MarkdownText content={text} />}
          />
        ) : (
          <div className="max-w-[52rem]" {...{ [COMMENT_TEXT]: id }}>
            <Clamp text={body} lines={16}>
              <Tickable
                content={body}
                // Comments that were written on a code host are edited there.
                save={
                  mayEdit && (url === null || sending.state !== 'none')
                    ? ({ after, before }) => onEdit(after, before)
                    : undefined
                }
              >
                {(content) => <MarkdownText content={content} />}
              </Tickable>
            </Clamp>
          </div>
        )}
        <ReactionList pullRequestId={pullRequestId} comment={comment} mayReact={mayReact} />
      </div>
    </div>
  );
}
