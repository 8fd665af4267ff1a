/** The button that deletes a comment, after a question, and what is shown in its place. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageSquareX, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { editDraft, keepDraft } from '../../../components/drafts.ts';
import { Time } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import {
  type PullRequest,
  type PullRequestComment,
  pullRequestQuery,
} from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';

/** Those that were written on a code host are deleted there; those of reviewers and bots are dismissed or resolved. */
export function useMayDelete({ allowedActions, origin }: Pick<PullRequest, 'allowedActions' | 'origin'>) {
  const { role, user } = useSession();
  const isAdmin = role === 'admin' || role === 'owner';
  const isPossible = allowedActions.includes('comment');
  return useCallback(
    ({ author, sending }: Pick<PullRequestComment, 'author' | 'sending'>) =>
      isPossible &&
      (origin === 'git' || sending.state !== 'none') &&
      author.id !== null &&
      (author.id === user.id || isAdmin),
    [isAdmin, isPossible, origin, user.id],
  );
}

export function DeleteComment(props: {
  pullRequestId: string;
  comment: PullRequestComment;
  /** Its discussion goes with it. */
  isOnly: boolean;
  className: string;
}) {
  const { className, comment, isOnly, pullRequestId } = props;
  const client = useQueryClient();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const removal = useMutation({
    mutationFn: () => call('delete-comment', { pullRequestId, commentId: comment.id }),
    async onSuccess() {
      keepDraft(editDraft(comment.id), undefined);
      await client.invalidateQueries(discussionsQuery(pullRequestId));
      void client.invalidateQueries(pullRequestQuery(pullRequestId));
      setIsOpen(false);
      toast('Comment deleted.');
    },
  });
  return (
    <>
      <button
        type="button"
        aria-label="Delete comment"
        title="Delete"
        onClick={() => setIsOpen(true)}
        className={className}
      >
        <Trash2 className="size-3.5" aria-hidden="true" />
      </button>
      <ConfirmDialog
        open={isOpen}
        title={isOnly ? 'Delete this discussion?' : 'Delete this comment?'}
        description={
          (isOnly
            ? 'It is the only comment of its discussion, so the discussion is deleted with it. This can’t be undone.'
            : 'Its text and earlier texts are deleted for everyone. Its place shows that you deleted it. This can’t be undone.') +
          (comment.sending.state === 'none' ? '' : ' It is deleted on the code host too.')
        }
        action="Delete"
        busy={removal.isPending}
        problem={removal.error}
        onConfirm={() => removal.mutate()}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

export function DeletedPlace({ deleted }: { deleted: PullRequest['deletedComments'][number] }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-1 py-0.5 text-[0.8125rem] text-quiet">
      <MessageSquareX className="size-4" aria-hidden="true" />
      {deleted.deletedBy === null ? 'Comment deleted' : `Comment deleted by ${deleted.deletedBy}`}
      <Time at={deleted.deletedAt} />
    </p>
  );
}
