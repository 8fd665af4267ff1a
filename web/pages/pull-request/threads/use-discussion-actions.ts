/** Actions on discussions. A changed status is shown immediately and reverted if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../api/client.ts';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, pullRequestQuery } from '../../../parts/pull-request/pull-request-data.ts';
import {
  type Discussion,
  type DiscussionComment,
  showDiscussion,
} from '../../../parts/pull-request/threads/discussion-data.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import { useMayDelete } from './delete-comment.tsx';

export interface DiscussionActions {
  pullRequestId: string;
  /** Lines 0 to 0 are the whole file. Returns the ID of the new discussion. */
  open(place: LineSelection, commit: string, body: string, key: string): Promise<string>;
  reply(discussion: Discussion, body: string, key: string): Promise<void>;
  edit(discussion: Discussion, commentId: string, body: string, expectedBody?: string): Promise<void>;
  resolve(discussion: Discussion): Promise<void>;
  reopen(discussion: Discussion): Promise<void>;
  mayDelete(comment: Pick<DiscussionComment, 'author' | 'sending'>): boolean;
}

export function useDiscussionActions(pullRequest: PullRequest): DiscussionActions {
  const { id: pullRequestId } = pullRequest;
  const mayDelete = useMayDelete(pullRequest);
  const client = useQueryClient();
  const toast = useToast();
  return useMemo(() => {
    const show = (changed: Discussion) => {
      showDiscussion(client, pullRequestId, changed);
      void client.invalidateQueries(pullRequestQuery(pullRequestId));
    };
    const setStatus = async (discussion: Discussion, status: 'open' | 'resolved') => {
      showDiscussion(client, pullRequestId, { ...discussion, status, statusCause: 'person' });
      try {
        show(await call('change-discussion', { discussionId: discussion.id, status }));
        return true;
      } catch (error) {
        showDiscussion(client, pullRequestId, discussion);
        toast((error as Error).message, 'danger');
        return false;
      }
    };
    return {
      pullRequestId,
      mayDelete,
      async open({ first, last, path, side }, commit, body, key) {
        const lines = { file: path, side, startLine: first, endLine: last };
        const opened = await call(
          'open-discussion',
          { pullRequestId, ...lines, commit, body },
          { idempotencyKey: key },
        );
        show(opened);
        return opened.id;
      },
      async reply({ id }, body, key) {
        show(await call('reply-to-discussion', { discussionId: id, body }, { idempotencyKey: key }));
      },
      async edit({ id }, commentId, body, expectedBody) {
        const expected = expectedBody !== undefined && { expectedBody };
        show(await call('edit-discussion-comment', { discussionId: id, commentId, body, ...expected }));
      },
      async resolve(discussion) {
        const undo = () => void setStatus(discussion, 'open');
        if (await setStatus(discussion, 'resolved')) toast('Discussion resolved.', 'plain', undo);
      },
      async reopen(discussion) {
        await setStatus(discussion, 'open');
      },
    };
  }, [client, mayDelete, pullRequestId, toast]);
}
