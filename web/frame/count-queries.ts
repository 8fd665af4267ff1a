/** The queries for the counts in the navigation: polled every twenty seconds while the page is visible, and on focus. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A background request must not open the sign-in dialog. */
const IN_BACKGROUND = { renewSession: false };
const POLLED = { refetchInterval: 20_000, refetchOnWindowFocus: 'always', retry: false } as const;

export const unreadCountQuery = queryOptions({
  queryKey: ['get-unread-count'],
  queryFn: ({ signal }) => call('get-unread-count', {}, { signal, ...IN_BACKGROUND }),
  ...POLLED,
});

export const reviewCountsQuery = queryOptions({
  queryKey: ['get-review-counts'],
  queryFn: ({ signal }) => call('get-review-counts', {}, { signal, ...IN_BACKGROUND }),
  ...POLLED,
});

export const pullRequestCountsQuery = queryOptions({
  queryKey: ['get-pull-request-counts'],
  queryFn: ({ signal }) => call('get-pull-request-counts', {}, { signal, ...IN_BACKGROUND }),
  ...POLLED,
});
