/** When a comment was edited, and what it said before. */
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { operationQuery } from '../../../api/queries.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ProblemNotice } from '../../../components/form.tsx';
import { formatMoment } from '../../../components/format-time.ts';
import { Time } from '../../../components/time.tsx';
import { MarkdownText } from '../../../markdown/index.ts';
import type { PullRequestComment } from '../../../parts/pull-request/pull-request-data.ts';

interface CommentHistoryProps {
  pullRequestId: string;
  comment: PullRequestComment;
}

export function CommentHistory({ comment, pullRequestId }: CommentHistoryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { author, editedAt } = comment;
  if (editedAt === null) return null;
  return (
    <>
      <button
        type="button"
        title={`${formatMoment(new Date(editedAt))}. Show earlier texts`}
        onClick={() => setIsOpen(true)}
        className="rounded underline decoration-dotted underline-offset-2 hover:text-text"
      >
        edited
      </button>
      <Dialog
        open={isOpen}
        title="Edit history"
        description={`Comment by ${author.name}`}
        onClose={() => setIsOpen(false)}
      >
        <Edits pullRequestId={pullRequestId} comment={comment} />
      </Dialog>
    </>
  );
}

function Edits({ comment, pullRequestId }: CommentHistoryProps) {
  const query = operationQuery('list-comment-edits', { pullRequestId, commentId: comment.id });
  const { data, error } = useQuery({ ...query, staleTime: 0 });
  if (error) return <ProblemNotice problem={error} />;
  if (!data) return <p className="py-4 text-sm text-quiet">Loading…</p>;
  const texts = [
    { body: comment.body, writtenAt: comment.editedAt!, isPresent: true },
    ...data.edits.toReversed().map((edit) => ({ ...edit, isPresent: false })),
  ];
  return (
    <>
      <ol className="grid grid-cols-1 gap-3">
        {texts.map(({ body, isPresent, writtenAt }, place) => (
          <Fragment key={writtenAt}>
            {data.notKept > 0 && place === texts.length - 1 && (
              <li className="text-center text-sm text-quiet">
                {data.notKept === 1 ? '1 earlier edit is' : `${data.notKept} earlier edits are`} no longer
                kept.
              </li>
            )}
            <li className="rounded-lg border border-line px-3 py-2 [&_.markdown-text]:text-sm">
              <p className="mb-1 text-xs text-quiet">
                <Time at={writtenAt} />
                {isPresent && ' · present text'}
              </p>
              <MarkdownText content={body} />
            </li>
          </Fragment>
        ))}
      </ol>
      {data.edits.length === 0 && (
        <p className="mt-3 text-sm text-quiet">Earlier texts were not kept when it was edited.</p>
      )}
    </>
  );
}
