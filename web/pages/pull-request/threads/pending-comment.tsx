/** A comment that waits for its review to be submitted; only its author sees it. */
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Clamp } from '../../../components/clamp.tsx';
import { Composer } from '../../../components/composer.tsx';
import { editDraft, hasDraft } from '../../../components/drafts.ts';
import { MarkdownText, SuggestionBase } from '../../../markdown/index.ts';
import type { PendingActions, PendingComment } from '../../../parts/pull-request/threads/pending-data.ts';

const BUTTON =
  'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-text';

export function PendingCommentView(props: {
  comment: PendingComment;
  actions: PendingActions;
  /** Where it is, if that isn't seen. */
  place?: React.ReactNode;
}) {
  const { actions, comment, place } = props;
  const { body, commentedCode, discussionId, id, isReply } = comment;
  const [isEditing, setIsEditing] = useState(() => hasDraft(editDraft(id)));
  return (
    <div className="grid grid-cols-1 gap-1 text-sm [&_.markdown-text]:text-sm">
      <div className="flex min-h-7 items-center gap-2">
        <Badge kind="warn">Pending</Badge>
        <span className="min-w-0 flex-1 truncate text-xs text-quiet">{place}</span>
        {!isEditing && (
          <>
            <button
              type="button"
              aria-label="Edit pending comment"
              title="Edit"
              onClick={() => setIsEditing(true)}
              className={BUTTON}
            >
              <Pencil className="size-3.5" aria-hidden="true" />
            </button>
            <button
              type="button"
              aria-label="Delete pending comment"
              title="Delete"
              onClick={() => void actions.remove(comment)}
              className={BUTTON}
            >
              <Trash2 className="size-3.5" aria-hidden="true" />
            </button>
          </>
        )}
      </div>
      {isReply && discussionId === null && (
        <p className="text-xs text-quiet">
          The discussion that it replies to was deleted. Submitting starts a new one here.
        </p>
      )}
      {isEditing ? (
        <Composer
          draft={editDraft(id)}
          initial={body}
          label="Edit pending comment"
          action="Save"
          onSend={async (text) => {
            await actions.edit(comment, text);
            setIsEditing(false);
          }}
          onLeave={() => setIsEditing(false)}
          preview={(text) => <MarkdownText content={text} />}
        />
      ) : (
        <div className="max-w-[52rem]">
          <SuggestionBase value={commentedCode}>
            <Clamp text={body} lines={16}>
              <MarkdownText content={body} />
            </Clamp>
          </SuggestionBase>
        </div>
      )}
    </div>
  );
}
