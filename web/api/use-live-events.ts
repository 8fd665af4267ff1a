/** Follows the events of something with server-sent events, starting after the last known event. */
import { useEffect, useRef, useState } from 'react';

const MAX_PAUSE_MS = 30_000;

interface LiveEvents<Event extends { number: number }> {
  /** The address of the stream. */
  path: string;
  /** Browsers dispatch events by name; other kinds are ignored. */
  kinds: readonly string[];
  /** The number of the last known event. */
  since: number;
  onEvent(event: Event): void;
  /** Names of news that have no number: they only say what to read again. */
  hints?: readonly string[];
  onHint?(kind: string): void;
  /** After a refused connection: whether to connect again. */
  check(): Promise<'open' | 'later' | 'never'>;
}

/**
 * Whether events arrive. A hidden page closes its connection, because browsers allow only a few per site; missed events
 * are delivered when the page is visible again.
 */
export function useLiveEvents<Event extends { number: number }>(
  given: LiveEvents<Event>,
): 'live' | 'waiting' {
  const [state, setState] = useState<'live' | 'waiting'>('live');
  const latest = useRef(given);
  useEffect(() => {
    latest.current = given;
  });
  const { path } = given;
  useEffect(() => {
    let last = latest.current.since;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let wasOpen = false;
    const receive = ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as Event;
      if (event.number <= last) return;
      last = event.number;
      latest.current.onEvent(event);
    };
    const open = () => {
      if (source || document.hidden) return;
      source = new EventSource(`${path}?since=${last}`);
      for (const kind of latest.current.kinds) source.addEventListener(kind, receive);
      for (const kind of latest.current.hints ?? [])
        source.addEventListener(kind, () => latest.current.onHint?.(kind));
      source.onopen = () => {
        failures = 0;
        setState('live');
        // Unlike events, hints that were sent meanwhile are not sent again.
        if (wasOpen) for (const kind of latest.current.hints ?? []) latest.current.onHint?.(kind);
        wasOpen = true;
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
      timer = setTimeout(checkThenOpen, Math.min(MAX_PAUSE_MS, 1000 * 2 ** failures));
      failures += 1;
    };
    const checkThenOpen = async () => {
      const next = await latest.current.check();
      if (next === 'later') tryLater();
      else if (next === 'open') open();
    };
    const watch = () => (document.hidden ? close() : open());
    open();
    document.addEventListener('visibilitychange', watch);
    return () => {
      document.removeEventListener('visibilitychange', watch);
      close();
    };
  }, [path]);
  return state;
}
