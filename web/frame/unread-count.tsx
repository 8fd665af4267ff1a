/** The number of unread inbox items: polled every twenty seconds while the page is visible, and on focus. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../api/client.ts';

const EVERY_MS = 20_000;
const MAX_SAID = 99;

export const unreadCountQuery = queryOptions({
  queryKey: ['get-unread-count'],
  // A background request must not open the sign-in dialog.
  queryFn: ({ signal }) => call('get-unread-count', {}, { signal, renewSession: false }),
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: 'always',
  retry: false,
});

/** The number; when it changes, lists of the inbox are refetched. */
export function useUnreadCount(): number {
  const client = useQueryClient();
  const { data } = useQuery(unreadCountQuery);
  const count = data?.unreadCount;
  const before = useRef(count);
  useEffect(() => {
    if (before.current !== undefined && before.current !== count)
      void client.invalidateQueries({ queryKey: ['list-inbox'] });
    before.current = count;
  }, [client, count]);
  return count ?? 0;
}

/** The service stops counting at a hundred. */
export function sayUnread(count: number): string {
  return count > MAX_SAID ? `${MAX_SAID}+` : String(count);
}

export function UnreadBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-text tabular-nums">
      {sayUnread(count)}
      <span className="sr-only"> unread</span>
    </span>
  );
}
