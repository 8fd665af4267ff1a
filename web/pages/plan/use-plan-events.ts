/** Follows changes to the plan with server-sent events, starting after the last known event. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PlanEventKind } from '../../../src/features/plans/contract.ts';
import { ENDPOINTS } from '../../api/operations.ts';
import { type PlanEvent, planQuery } from './plan-data.ts';

/** Browsers dispatch events by name; unknown kinds are ignored. */
const KINDS = Object.keys({
  plan_created: true,
  version_added: true,
  status_changed: true,
  approved: true,
  approval_withdrawn: true,
  changes_requested: true,
  review_requested: true,
  comment_added: true,
  comment_edited: true,
  comment_triaged: true,
  comments_addressed: true,
  pull_request_linked: true,
} satisfies Record<PlanEventKind, true>);

const MAX_PAUSE_MS = 30_000;

/**
 * Whether events arrive. A hidden page closes its connection, because browsers allow only a few per site; missed events
 * are delivered when the page is visible again.
 */
export function usePlanEvents(
  seriesId: string,
  since: number,
  onEvent: (event: PlanEvent) => void,
): 'live' | 'waiting' {
  const client = useQueryClient();
  const [state, setState] = useState<'live' | 'waiting'>('live');
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  const first = useRef(since);
  useEffect(() => {
    let last = first.current;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const receive = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as PlanEvent;
      if (event.number <= last) return;
      last = event.number;
      latest.current(event);
    };
    const open = () => {
      if (source || document.hidden) return;
      const path = ENDPOINTS['stream-plan-changes'].path.replace(':seriesId', seriesId);
      source = new EventSource(`${path}?since=${last}`);
      for (const kind of KINDS) source.addEventListener(kind, receive);
      source.onopen = () => {
        failures = 0;
        setState('live');
      };
      source.onerror = () => {
        setState('waiting');
        // The browser reconnects unless the request was refused.
        if (source?.readyState === EventSource.CLOSED) tryLater();
      };
    };
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const tryLater = () => {
      close();
      timer = setTimeout(askThenOpen, Math.min(MAX_PAUSE_MS, 1000 * 2 ** failures));
      failures += 1;
    };
    /** Refetching the plan shows why: the session ended, the plan was deleted, or the service is down. */
    const askThenOpen = async () => {
      await client.refetchQueries(planQuery(seriesId));
      const { data, error } = client.getQueryState(planQuery(seriesId).queryKey) ?? {};
      if (error) tryLater();
      else if (data) open();
    };
    const watch = () => (document.hidden ? close() : open());
    open();
    document.addEventListener('visibilitychange', watch);
    return () => {
      document.removeEventListener('visibilitychange', watch);
      close();
    };
  }, [client, seriesId]);
  return state;
}
