/** The comments that this person wrote for a review and has not submitted, and what can be done with them. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type CallOutput, call } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import { useToast } from '../../../components/toast.tsx';

export type PendingComment = CallOutput<'list-pending-comments'>['comments'][number];

const NONE: readonly PendingComment[] = [];

export const pendingQuery = (pullRequestId: string) =>
  queryOptions({ ...operationQuery('list-pending-comments', { pullRequestId }), staleTime: 60_000 });

export function usePending(pullRequestId: string): readonly PendingComment[] {
  return useQuery(pendingQuery(pullRequestId)).data?.comments ?? NONE;
}

/** Lines of a file, or the discussion that is replied to. */
export type PendingPlace =
  | { discussionId: string }
  | (Pick<PendingComment, 'file' | 'side' | 'startLine' | 'endLine'> & { commit: string });

export interface PendingActions {
  add(place: PendingPlace, body: string): Promise<string>;
  edit(comment: PendingComment, body: string): Promise<void>;
  remove(comment: PendingComment): Promise<void>;
  discard(): Promise<void>;
}

export function usePendingActions(pullRequestId: string): PendingActions {
  const client = useQueryClient();
  const toast = useToast();
  return useMemo(() => {
    const { queryKey } = pendingQuery(pullRequestId);
    const show = (change: (comments: PendingComment[]) => PendingComment[]) => {
      client.setQueryData(queryKey, (before) => before && { comments: change(before.comments) });
      void client.invalidateQueries({ queryKey });
    };
    const without = (id: string) => (comments: PendingComment[]) => comments.filter((each) => each.id !== id);
    const add = async (place: PendingPlace, body: string) => {
      const added = await call('add-pending-comment', { pullRequestId, ...place, body });
      show((comments) => [...without(added.id)(comments), added]);
      return added.id;
    };
    return {
      add,
      async edit({ id }, body) {
        const edited = await call('edit-pending-comment', { pullRequestId, commentId: id, body });
        show((comments) => comments.map((each) => (each.id === id ? edited : each)));
      },
      async remove(comment) {
        const { body, commit, discussionId, endLine, file, id, side, startLine } = comment;
        const place =
          discussionId === null ? commit && { commit, endLine, file, side, startLine } : { discussionId };
        const undo = () =>
          place && void add(place, body).catch((error: Error) => toast(error.message, 'danger'));
        try {
          await call('delete-pending-comment', { pullRequestId, commentId: id });
          show(without(id));
          if (place) toast('Pending comment deleted.', 'plain', () => void undo());
          else toast('Pending comment deleted.');
        } catch (error) {
          toast((error as Error).message, 'danger');
        }
      },
      async discard() {
        await call('discard-pending-comments', { pullRequestId });
        show(() => []);
      },
    };
  }, [client, pullRequestId, toast]);
}
