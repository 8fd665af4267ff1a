/** Marks entries of the inbox as read: shown immediately, reverted when the service refuses. */
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type CallInput, type CallOutput, call } from '../../api/client.ts';
import { useToast } from '../../components/toast.tsx';
import { unreadCountQuery } from '../../frame/count-queries.ts';
import { tellOtherTabs } from '../../frame/other-tabs.ts';

type InboxPage = CallOutput<'list-inbox'>;
type Shown = InboxPage | InfiniteData<InboxPage>;
/** Opening an entry marks it as read too; that is not worth a message. */
type MarkRead = CallInput<'mark-inbox-read'> & { isOpened?: boolean };
const LISTS = { queryKey: ['list-inbox'] };

export function useMarkRead() {
  const client = useQueryClient();
  const toast = useToast();
  const undo = useMutation({
    mutationFn: (readAt: string) => call('mark-inbox-read', { undo: readAt }),
    onSuccess: ({ unreadCount }) => client.setQueryData(unreadCountQuery.queryKey, { unreadCount }),
    onError: (error) => toast(error.message, 'danger'),
    onSettled: () => client.invalidateQueries(LISTS),
  });
  return useMutation({
    mutationFn: ({ isOpened: _, ...input }: MarkRead) => call('mark-inbox-read', input),
    async onMutate(input) {
      await client.cancelQueries(LISTS);
      const before = client.getQueriesData<Shown>(LISTS);
      client.setQueriesData<Shown>(LISTS, (shown) => shown && markIn(shown, input));
      return before;
    },
    onSuccess({ readAt, unreadCount }, { all, isOpened }) {
      client.setQueryData(unreadCountQuery.queryKey, { unreadCount });
      tellOtherTabs();
      if (isOpened || readAt === null) return;
      toast(all ? 'All marked as read.' : 'Marked as read.', 'plain', () => undo.mutate(readAt));
    },
    onError(error, _input, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
      toast(error.message, 'danger');
    },
    onSettled: () => client.invalidateQueries(LISTS),
  });
}

function markIn(shown: Shown, input: CallInput<'mark-inbox-read'>): Shown {
  if ('pages' in shown) return { ...shown, pages: shown.pages.map((page) => markPage(page, input)) };
  return markPage(shown, input);
}

function markPage(page: InboxPage, { all, itemIds, pullRequestId }: CallInput<'mark-inbox-read'>): InboxPage {
  const readAt = new Date().toISOString();
  const items = page.items.map((item) =>
    item.readAt === null &&
    (all || itemIds?.includes(item.id) || (pullRequestId && item.pullRequest?.id === pullRequestId))
      ? { ...item, readAt }
      : item,
  );
  return { ...page, items };
}
