/** Marks what the inbox says about an open plan or pull request as read, also what arrives while somebody looks at it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { unreadCountQuery } from '../../frame/count-queries.ts';
import { tellOtherTabs } from '../../frame/other-tabs.ts';

export function useReadOnOpen({
  pullRequestId,
  seriesId,
}: {
  pullRequestId?: string;
  seriesId?: string;
}): void {
  const client = useQueryClient();
  const unread = useQuery(unreadCountQuery).data?.unreadCount ?? 0;
  /** With this count, everything here was read. */
  const done = useRef<string>(null);
  useEffect(() => {
    const of = `${pullRequestId} ${seriesId}`;
    const mark = async () => {
      // A tab in the background is not being read.
      if (document.visibilityState !== 'visible' || done.current === `${of} ${unread}`) return;
      done.current = `${of} ${unread}`;
      const subject = { ...(pullRequestId && { pullRequestId }), ...(seriesId && { seriesId }) };
      try {
        const { unreadCount } = await call('mark-inbox-read', subject, { renewSession: false });
        if (unreadCount === unread) return;
        done.current = `${of} ${unreadCount}`;
        client.setQueryData(unreadCountQuery.queryKey, { unreadCount });
        tellOtherTabs();
      } catch {
        // They stay unread.
      }
    };
    if (unread === 0) return;
    void mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [client, pullRequestId, seriesId, unread]);
}
