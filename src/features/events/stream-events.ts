/** The events of a subject as server-sent events, until the caller disconnects or loses access. */
import type { Context } from '../../context.ts';
import type { StreamEvent } from '../../platform/core/operations/operation.ts';
import type { FeedListener } from '../../platform/core/ports/change-feed.ts';
import type { EventRow } from './event-store.ts';
import { presentEvent } from './present-event.ts';
import { nextEvents, type Watch } from './wait-for-events.ts';

/** How often to send a keep-alive, so that proxies don't close the connection, and to check the caller's access again. */
const KEEP_ALIVE_MS = 20_000;

/** Reasons to end a stream before the caller disconnects. */
export interface StreamEnd {
  /** Whether nothing can happen after this event. */
  isLast(event: EventRow): boolean;
  /** Whether the caller may still read the subject. Checked before events are sent, and at each keep-alive. */
  stillAllowed(): Promise<boolean>;
  /** News that are no events of the subject: announced under this topic, and sent under this name. */
  hints?: { topic: string; kind: string }[];
}

/** Events as this caller may read them. */
export type PresentEvents = (events: EventRow[]) => Promise<ReturnType<typeof presentEvent>[]>;

/** Counts as an open wait from now on. */
export function streamEvents(
  context: Context,
  watch: Watch,
  end: StreamEnd,
  present: PresentEvents = async (events) => events.map(presentEvent),
): AsyncGenerator<StreamEvent> {
  const disconnected = context.disconnected();
  const endWait = context.waits.open(context.actor.credentialId);
  if (disconnected.aborted) endWait();
  else disconnected.addEventListener('abort', endWait, { once: true });
  return follow(context, watch, { ...end, present }, disconnected, endWait);
}

async function* follow(
  context: Context,
  { since, subjectId }: Watch,
  end: StreamEnd & { present: PresentEvents },
  disconnected: AbortSignal,
  endWait: () => void,
): AsyncGenerator<StreamEvent> {
  const listener = context.feed.listen(subjectId);
  const hints = (end.hints ?? []).map(({ kind, topic }) => ({ kind, listener: context.feed.listen(topic) }));
  try {
    for (let last = since; !disconnected.aborted; ) {
      const deadline = performance.now() + KEEP_ALIVE_MS;
      const news = hints.map(({ kind, listener: each }) => ({ kind, ...listenOnce(each) }));
      const over = AbortSignal.any([disconnected, ...news.map(({ arrived }) => arrived)]);
      const events = await nextEvents(context, { subjectId, since: last }, deadline, listener, over);
      for (const { stop } of news) stop();
      if (disconnected.aborted || !(await end.stillAllowed())) return;
      for (const { arrived, kind } of news)
        if (arrived.aborted) yield { id: String(last), kind, data: hint(context, kind, last) };
      const presented = await end.present(events);
      for (const [index, event] of events.entries()) {
        yield { id: event.number, kind: event.kind, data: presented[index] };
        last = Number(event.number);
        if (end.isLast(event)) return;
      }
      if (events.length === 0) yield { id: '', kind: '', data: null };
    }
  } finally {
    listener.close();
    for (const each of hints) each.listener.close();
    // A stream that the service ends does not count as a disconnect.
    endWait();
  }
}

/** Aborts `arrived` at the first announcement. */
function listenOnce(listener: FeedListener): { arrived: AbortSignal; stop(): void } {
  const arrived = new AbortController();
  const stopped = new AbortController();
  // Longer than anybody waits for it, so that only an announcement ends it.
  void listener.next(2 * KEEP_ALIVE_MS, stopped.signal).then(() => {
    if (!stopped.signal.aborted) arrived.abort();
  });
  return { arrived: arrived.signal, stop: () => stopped.abort() };
}

/** Shaped like an event. Its number is that of the last event, so that nobody skips one because of it. */
function hint({ actor, clock }: Context, kind: string, last: number): ReturnType<typeof presentEvent> {
  return {
    number: last,
    kind,
    actor: { kind: actor.kind, id: actor.userId, name: actor.userName },
    createdAt: clock.now().toISOString(),
    data: {},
  };
}
