/** The actions on comments, applied optimistically and reverted if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type CallInput, call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { useToast } from '../../../components/toast.tsx';
import type { SourceRange } from '../../../markdown/index.ts';
import type { PlanText } from '../plan-data.ts';
import { anchorOf } from '../reader/anchor.ts';
import { addComment, type ThreadComment, updateComment, updateComments } from './thread-data.ts';
import type { Thread } from './threads.ts';

export type Triage = 'open' | 'dismissed' | null;

export interface ThreadActions {
  /** Without a range it is a general comment. Returns the id of the new thread. */
  comment(text: PlanText, place: SourceRange | undefined, body: string, key: string): Promise<string>;
  reply(thread: Thread, body: string, key: string): Promise<void>;
  edit(comment: ThreadComment, body: string): Promise<void>;
  triage(comment: ThreadComment, to: Triage): Promise<void>;
  mute(thread: Thread, isMuted: boolean): Promise<void>;
}

export function useThreadActions(seriesId: string): ThreadActions {
  const client = useQueryClient();
  const { user } = useSession();
  const toast = useToast();
  return useMemo(() => {
    const me = { author: { id: user.id, name: user.name }, authorKind: 'session' as const };
    const post = async (
      input: Omit<CallInput<'add-plan-comment'>, 'seriesId'>,
      about: Pick<ThreadComment, 'version' | 'quote' | 'placement'> & { threadId?: string },
      key: string,
    ) => {
      const posted = await call('add-plan-comment', { seriesId, ...input }, { idempotencyKey: key });
      const { threadId = posted.id, ...rest } = about;
      addComment(client, seriesId, { ...posted, ...me, ...rest, threadId, editedAt: null, addressed: null });
      return posted.id;
    };
    /** Applies a change optimistically and reverts it on failure. Returns whether it succeeded. */
    const tryChange = async (show: () => void, make: () => Promise<unknown>, revert: () => void) => {
      show();
      try {
        await make();
        return true;
      } catch (error) {
        revert();
        toast((error as Error).message, 'danger');
        return false;
      }
    };
    const setTriage = ({ id, triageState }: ThreadComment, to: Triage) =>
      tryChange(
        () => updateComment(client, seriesId, id, { triageState: to }),
        () => call('change-plan-comment', { seriesId, commentId: id, triageState: to }),
        () => updateComment(client, seriesId, id, { triageState }),
      );
    const setMuted = (threadId: string, isMuted: boolean) =>
      tryChange(
        () => showMuted(threadId, isMuted),
        () => call(isMuted ? 'mute-plan-thread' : 'unmute-plan-thread', { seriesId, threadId }),
        () => showMuted(threadId, !isMuted),
      );
    const showMuted = (threadId: string, isMuted: boolean) =>
      updateComments(client, seriesId, (answer) => ({
        ...answer,
        mutedThreadIds: [
          ...answer.mutedThreadIds.filter((id) => id !== threadId),
          ...(isMuted ? [threadId] : []),
        ],
      }));
    return {
      async comment(text, place, body, key) {
        const { content, version, versionId } = text;
        if (!place) {
          return post({ body, versionId }, { version, quote: null, placement: null }, key);
        }
        const anchor = anchorOf(text, place);
        if (!anchor) throw new Error('The selection is too long to quote. Select less text.');
        const quote = content.slice(place.start, place.end);
        const placement = { result: 'exact' as const, ...place };
        return post({ body, versionId, anchor }, { version, quote, placement }, key);
      },
      async reply({ id, root }, body, key) {
        const { version, versionId } = root;
        const about = { threadId: id, version, quote: null, placement: null };
        await post({ body, versionId, parentId: id }, about, key);
      },
      async edit({ id }, body) {
        const changed = await call('change-plan-comment', { seriesId, commentId: id, body });
        updateComment(client, seriesId, id, { body: changed.body, editedAt: new Date().toISOString() });
      },
      async triage(comment, to) {
        const undo = () => void setTriage({ ...comment, triageState: to }, comment.triageState);
        if ((await setTriage(comment, to)) && to === 'dismissed')
          toast('Comment dismissed. The agent will ignore it.', 'plain', undo);
      },
      async mute({ id }, isMuted) {
        if ((await setMuted(id, isMuted)) && isMuted)
          toast('Thread muted. Replies don’t reach your inbox.', 'plain', () => void setMuted(id, false));
      },
    };
  }, [client, seriesId, toast, user.id, user.name]);
}
