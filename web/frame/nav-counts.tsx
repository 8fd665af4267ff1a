/** The counts beside Inbox, Reviews and Pull requests in the navigation. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { pullRequestCountsQuery, reviewCountsQuery, unreadCountQuery } from './count-queries.ts';
import type { NavItem } from './navigation.ts';
import { useOtherTabs } from './other-tabs.ts';

const MAX_SHOWN = 99;

export interface NavCount {
  count: number;
  /** For screen readers. */
  label: string;
}

/** The count of each navigation entry that has one. */
export function useNavCounts(): Partial<Record<NavItem['to'], NavCount>> & { '/inbox': NavCount } {
  useOtherTabs();
  const unread = useQuery(unreadCountQuery).data?.unreadCount;
  const reviews = useQuery(reviewCountsQuery).data;
  const waiting = reviews && reviews.needsMyReview + reviews.changesRequested;
  const toReview = useQuery(pullRequestCountsQuery).data?.waiting;
  useRefetchOnChange(unread, 'list-inbox');
  useRefetchOnChange(waiting, 'list-plans');
  useRefetchOnChange(toReview, 'list-pull-requests');
  return {
    '/inbox': { count: unread ?? 0, label: 'unread' },
    '/reviews': { count: (waiting ?? 0) + (toReview ?? 0), label: 'waiting for you' },
    '/pull-requests': { count: toReview ?? 0, label: 'waiting for you' },
  };
}

type ListName = 'list-inbox' | 'list-plans' | 'list-pull-requests';

/** Refetches the lists of an operation when their count changes. */
function useRefetchOnChange(count: number | undefined, operation: ListName) {
  const client = useQueryClient();
  const before = useRef(count);
  useEffect(() => {
    if (before.current !== undefined && before.current !== count)
      void client.invalidateQueries({ queryKey: [operation] });
    before.current = count;
  }, [client, count, operation]);
}

/** The service stops counting unread items at a hundred. */
export function formatBadgeCount(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
}

export function CountBadge({ count, label }: NavCount) {
  if (count === 0) return null;
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-text tabular-nums">
      {formatBadgeCount(count)}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
