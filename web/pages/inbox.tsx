/** Inbox: what others did that concerns me, grouped by day and, while unread, by pull request. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, Page } from '../components/page.tsx';
import { CountBadge } from '../frame/nav-counts.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import { usePageShortcuts } from '../frame/use-shortcuts.ts';
import { groupUnread } from '../parts/inbox/group-unread.ts';
import { type InboxItem, InboxRows } from '../parts/inbox/inbox-rows.tsx';
import { useMarkRead } from '../parts/inbox/use-mark-read.ts';
import { LoadingPlanRows } from '../parts/plans/plan-rows.tsx';
import { useMute } from '../parts/pull-request/use-mute.ts';

const PAGE_LENGTH = 50;

export function InboxPage() {
  const { unread } = useSearch({ from: '/signed-in/inbox' });
  const list = useListKeys<HTMLDivElement>('entry');
  const markRead = useMarkRead();
  const mute = useMute();
  const inbox = useInfiniteQuery({
    queryKey: ['list-inbox', { unread }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-inbox', { unread, cursor: pageParam, limit: PAGE_LENGTH }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const items = inbox.data?.pages.flatMap((page) => page.items) ?? [];
  const unreadCount = inbox.data?.pages[0]?.unreadCount ?? 0;
  usePageShortcuts([
    {
      keys: ['r'],
      meaning: 'Mark as read',
      act() {
        const id = document.activeElement?.getAttribute('data-item-id');
        const item = items.find((each) => each.id === id);
        if (!item || item.readAt !== null) return false;
        if (unread) focusNeighbor(list.current!);
        markRead.mutate({ itemIds: [item.id] });
        return true;
      },
    },
  ]);
  return (
    <Page
      title="Inbox"
      lead="Review requests, mentions, comments and replies, updates on your reviews, and what you watch."
      actions={
        unreadCount > 0 && (
          <Button
            busy={markRead.isPending && markRead.variables.all}
            onClick={() => markRead.mutate({ all: true })}
          >
            Mark all as read
          </Button>
        )
      }
    >
      <Tabs unread={unread} unreadCount={unreadCount} />
      {inbox.error && !inbox.data && <ErrorState error={inbox.error} onRetry={() => void inbox.refetch()} />}
      {!inbox.data && !inbox.error && <LoadingPlanRows />}
      {inbox.data && items.length === 0 && <Nothing unread={unread} />}
      <div ref={list} className="grid gap-6">
        {byDay(groupUnread(items)).map(([day, ofDay]) => (
          <section key={day}>
            <h2 className="mb-2 text-xs font-medium text-quiet">{day}</h2>
            <InboxRows
              label={day}
              groups={ofDay}
              onMute={(pullRequestId) => void mute(pullRequestId, true)}
              onRead={(input, isOpened) => markRead.mutate({ ...input, isOpened })}
            />
          </section>
        ))}
      </div>
      {inbox.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={inbox.isFetchingNextPage} onClick={() => void inbox.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Page>
  );
}

function Tabs({ unread, unreadCount }: { unread: true | undefined; unreadCount: number }) {
  const look =
    'inline-flex h-8 items-center gap-2 rounded-full px-3 text-sm text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';
  return (
    <nav aria-label="Filter" className="mb-4 flex gap-1">
      <Link
        to="/inbox"
        replace
        search={{}}
        activeOptions={{ exact: true }}
        aria-current={unread ? undefined : 'page'}
        className={look}
      >
        All
      </Link>
      <Link
        to="/inbox"
        replace
        search={{ unread: true }}
        activeOptions={{ exact: true }}
        aria-current={unread ? 'page' : undefined}
        className={look}
      >
        Unread
        <CountBadge count={unreadCount} label="unread" />
      </Link>
    </nav>
  );
}

function Nothing({ unread }: { unread: true | undefined }) {
  if (unread)
    return (
      <EmptyState title="You’re all caught up" action={<ButtonLink to="/inbox">Show all</ButtonLink>}>
        New notifications appear here.
      </EmptyState>
    );
  return (
    <EmptyState title="Your inbox is empty" action={<ButtonLink to="/plans">Go to plans</ButtonLink>}>
      Review requests, mentions, comments on your plans and pull requests, and replies appear here.
    </EmptyState>
  );
}

/** When an entry leaves the list, its neighbor gets the focus. */
function focusNeighbor(list: HTMLElement): void {
  const entries = [...list.querySelectorAll<HTMLElement>('[data-item-id]')];
  const index = entries.indexOf(document.activeElement as HTMLElement);
  (entries[index + 1] ?? entries[index - 1])?.focus();
}

const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Days are in the reader's time zone; groups are sorted newest first. */
function byDay(groups: InboxItem[][]): [string, InboxItem[][]][] {
  const now = new Date();
  return [...Map.groupBy(groups, ([newest]) => formatDay(new Date(newest!.createdAt), now))];
}

function formatDay(at: Date, now: Date): string {
  const daysAgo = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return (at.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(at);
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
