/** One comment: its author, how and when it was posted, and its text. */
import { Bot, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '../../../api/queries.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Badge } from '../../../components/badge.tsx';
import { Clamp } from '../../../components/clamp.tsx';
import { Composer } from '../../../components/composer.tsx';
import { editDraft, hasDraft } from '../../../components/drafts.ts';
import { formatMoment } from '../../../components/format-time.ts';
import { Time } from '../../../components/time.tsx';
import { MarkdownText } from '../../../markdown/index.ts';
import type { ThreadComment } from './thread-data.ts';

interface CommentViewProps {
  comment: ThreadComment;
  mayWrite: boolean;
  /** The version that is shown. */
  version: number;
  onEdit(body: string): Promise<void>;
  /** Shown at the right of the first line; enables editing. */
  menu?(edit: (() => void) | undefined): ReactNode;
}

export function CommentView({ comment, mayWrite, version, onEdit, menu }: CommentViewProps) {
  const { user } = useSession();
  const [isEditing, setIsEditing] = useState(() => hasDraft(editDraft(comment.id)));
  const isOwn = comment.author.id === user.id;
  const edit = isOwn && mayWrite && !isEditing ? () => setIsEditing(true) : undefined;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
      <Avatar person={comment.author} />
      <div className="min-w-0 [&_.markdown-text]:text-sm">
        <div className="flex min-h-7 items-center gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 text-sm leading-tight">
            <span className="min-w-0 truncate font-semibold" title={comment.author.name}>
              {comment.author.name}
            </span>
            <Posted comment={comment} version={version} />
          </div>
          {menu ? menu(edit) : edit && <EditButton onClick={edit} />}
        </div>
        {isEditing ? (
          <Composer
            draft={editDraft(comment.id)}
            initial={comment.body}
            label="Edit comment"
            action="Save"
            onSend={async (body) => {
              await onEdit(body);
              setIsEditing(false);
            }}
            preview={(text) => <MarkdownText content={text} />}
            onLeave={() => setIsEditing(false)}
          />
        ) : (
          <Clamp text={comment.body} lines={10}>
            <MarkdownText content={comment.body} />
          </Clamp>
        )}
      </div>
    </div>
  );
}

export function TriageBadge({ state }: { state: ThreadComment['triageState'] }) {
  if (state === null) return null;
  return state === 'dismissed' ? <Badge>Dismissed</Badge> : <Badge kind="good">Accepted</Badge>;
}

function EditButton({ onClick }: { onClick(): void }) {
  return (
    <button
      type="button"
      aria-label="Edit comment"
      title="Edit"
      onClick={onClick}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-quiet hover:bg-sunken hover:text-text"
    >
      <Pencil className="size-3.5" aria-hidden="true" />
    </button>
  );
}

/** When it was posted, on which version, and whether by an agent. */
function Posted({ comment, version }: { comment: ThreadComment; version: number }) {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-quiet">
      {comment.authorKind !== 'session' && (
        <span
          className="inline-flex items-center gap-1"
          title={comment.authorKind === 'key' ? 'Posted with an API key' : 'Posted by a signed-in agent'}
        >
          <Bot className="size-3.5" aria-hidden="true" />
          <span className="sr-only">
            {comment.authorKind === 'key' ? 'with an API key' : 'by a signed-in agent'}
          </span>
        </span>
      )}
      <Time at={comment.createdAt} />
      {comment.version !== version && comment.parentId === null && <span>on v{comment.version}</span>}
      {comment.editedAt !== null && <span title={formatMoment(new Date(comment.editedAt))}>edited</span>}
      {comment.parentId !== null && <TriageBadge state={comment.triageState} />}
    </span>
  );
}
