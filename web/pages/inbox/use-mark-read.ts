/** Marks what is in the inbox as read: shown at once, taken back when the service refuses. */
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type CallInput, type CallOutput, call } from '../../api/client.ts';
import { useToast } from '../../components/toast.tsx';
import { unreadCountQuery } from '../../frame/unread-count.tsx';

type InboxPage = CallOutput<'list-inbox'>;
type Shown = InboxPage | InfiniteData<InboxPage>;
const LISTS = { queryKey: ['list-inbox'] };

export function useMarkRead() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (input: CallInput<'mark-inbox-read'>) => call('mark-inbox-read', input),
    async onMutate(input) {
      await client.cancelQueries(LISTS);
      const before = client.getQueriesData<Shown>(LISTS);
      client.setQueriesData<Shown>(LISTS, (shown) => shown && markIn(shown, input));
      return before;
    },
    onSuccess: (count) => client.setQueryData(unreadCountQuery.queryKey, count),
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

function markPage(page: InboxPage, { all, itemIds }: CallInput<'mark-inbox-read'>): InboxPage {
  const readAt = new Date().toISOString();
  const items = page.items.map((item) =>
    item.readAt === null && (all || itemIds?.includes(item.id)) ? { ...item, readAt } : item,
  );
  return { ...page, items };
}
