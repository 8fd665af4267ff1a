/** Waits until someone other than the agent acts on a plan or a pull request. */
import type { Part, Piece } from '../text/budget.ts';

/** The reply to reading events after a number. */
interface Changes {
  events: { kind: string; own: boolean }[];
  cursor: number;
}

export interface WaitOptions {
  /** The number of the last event that the agent has seen. */
  since: number;
  timeoutSeconds: number;
  /** The kinds of events that end the wait. */
  wakes: ReadonlySet<string>;
  /** Aborts when the agent disconnects or the service stops. */
  gone: AbortSignal;
}

/** The last look, with only the events that ended the wait; none after a timeout. */
export async function waitForOthers<Found extends Changes>(
  look: (since: number, waitSeconds: number) => Promise<Found>,
  { gone, since, timeoutSeconds, wakes }: WaitOptions,
): Promise<Found> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  for (let from = since; ; ) {
    const leftSeconds = Math.max(0, Math.round((deadline - performance.now()) / 1000));
    const changes = await look(from, leftSeconds);
    // Skip the agent's own actions.
    const events = changes.events.filter(({ kind, own }) => wakes.has(kind) && !own);
    const isOver = performance.now() >= deadline || gone.aborted;
    if (events.length > 0 || isOver || (changes.events.length === 0 && leftSeconds === 0))
      return { ...changes, events };
    from = changes.cursor;
  }
}

/** An event with the text that belongs to it. */
export interface EventPiece extends Piece {
  number: number;
  present(part: Part<EventPiece>): ShownEvent;
}

export interface ShownEvent {
  kind: string;
  by?: string | undefined;
  at: string;
  version?: number | undefined;
  status?: string | undefined;
  verdict?: string | undefined;
  discussionId?: string | undefined;
  commentId?: string | undefined;
  triageState?: string | undefined;
  note?: string | undefined;
  body?: string | undefined;
  isCut?: boolean | undefined;
}

/** How a wait ended. */
export interface Waited {
  outcome: 'changed' | 'decided' | 'timeout';
  about: {
    planId?: string;
    pullRequestNumber?: number;
    url: string;
    status: string;
    reviewState?: string;
    version?: number;
  };
  /** The number of the last event that was looked at. */
  cursor: number;
  pieces: EventPiece[];
  /** Advice for the agent; `since` continues after this reply. */
  next(since: number): string;
}
