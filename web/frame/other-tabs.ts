/** Tells other tabs of this browser that the inbox was read, so that their counts fall at once. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadCountQuery } from './count-queries.ts';

const CHANNEL = 'countersign-inbox';

export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('read');
  channel.close();
}

export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    // Only a hint: this tab may belong to another person or organization by now.
    channel.onmessage = () => void client.invalidateQueries({ queryKey: unreadCountQuery.queryKey });
    return () => channel.close();
  }, [client]);
}
