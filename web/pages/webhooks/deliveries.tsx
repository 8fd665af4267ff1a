/** A webhook's deliveries, newest first; each expands to its attempts and payload. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { call } from '../../api/client.ts';
import { EmptyState, ErrorState, LoadingRows, Section, ShowMore } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import {
  DELIVERY_STATES,
  type Delivery,
  DeliveryState,
  describeReply,
  formatDuration,
} from './delivery-state.tsx';
import { eventName } from './event-kinds.tsx';
import { pauseUntilNext } from './pause-until-next.ts';

const TABS = [undefined, 'pending', 'succeeded', 'failed'] as const;
const PAGE_LENGTH = 30;

export function Deliveries({ webhookId, state }: { webhookId: string; state?: Delivery['state'] }) {
  const log = useInfiniteQuery({
    queryKey: ['list-webhook-deliveries', webhookId, state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'list-webhook-deliveries',
        { webhookId, state, cursor: pageParam, limit: PAGE_LENGTH },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      pauseUntilNext(query.state.data?.pages.flatMap((page) => page.deliveries) ?? []),
  });
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Section title="Deliveries" lead="Kept for 30 days.">
      <nav aria-label="Status" className="flex flex-wrap gap-1">
        {TABS.map((each) => (
          <Link
            key={each ?? 'all'}
            to="/settings/webhooks"
            replace
            search={each ? { webhook: webhookId, state: each } : { webhook: webhookId }}
            activeOptions={{ exact: true }}
            aria-current={each === state ? 'page' : undefined}
            className="inline-flex h-8 items-center rounded-full px-3 text-sm text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
          >
            {each ? DELIVERY_STATES[each].name : 'All'}
          </Link>
        ))}
      </nav>
      {log.error && !log.data && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {!log.data && !log.error && <LoadingRows />}
      {log.data && deliveries.length === 0 && (
        <EmptyState title={state ? 'No matching deliveries' : 'No deliveries yet'}>
          {state ? undefined : 'The next event appears here.'}
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <ul
          aria-label="Deliveries"
          aria-busy={log.isPlaceholderData}
          className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
        >
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <ShowMore pages={log} />
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { attempts, createdAt, durationMs, eventKind, note, responseStatus, state } = delivery;
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-left text-sm transition-colors -outline-offset-2 hover:bg-sunken sm:grid-cols-[auto_7rem_minmax(0,1fr)_auto]"
      >
        <ChevronRight
          aria-hidden="true"
          className={`size-4 text-quiet transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <DeliveryState state={state} />
        <span className="min-w-0 max-sm:order-last max-sm:col-span-3 max-sm:pl-7">
          <span className="font-medium">{eventName(eventKind)}</span>
          <span className="text-quiet">
            {attempts > 0 && ` · ${describeReply(responseStatus)}`}
            {durationMs !== null && `, ${formatDuration(durationMs)}`}
            {attempts > 1 && ` · ${attempts} attempts`}
          </span>
          {note && state !== 'succeeded' && (
            <span className="block truncate text-[0.8125rem] text-quiet">{note}</span>
          )}
        </span>
        <span className="justify-self-end text-[0.8125rem]">
          <Time at={createdAt} />
        </span>
      </button>
      {open && (
        <div id={id} className="border-t border-line bg-page px-4 py-4 sm:pl-11">
          <DeliveryDetail delivery={delivery} />
        </div>
      )}
    </li>
  );
}
