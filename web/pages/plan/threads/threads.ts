/** Groups comments into threads and decides where each goes on the page. Pure. */
import type { ThreadComment, ThreadPages } from './thread-data.ts';

export interface Thread {
  /** The id of its first comment. */
  id: string;
  root: ThreadComment;
  replies: ThreadComment[];
  isMuted: boolean;
}

export type ThreadFilter = 'open' | 'dismissed' | 'all';

export function threadsOf(pages: ThreadPages): Thread[] {
  const muted = new Set(pages.at(-1)?.answer.mutedThreadIds);
  const threads = new Map<string, Thread>();
  for (const { answer } of pages)
    for (const comment of answer.comments) {
      const thread = threads.get(comment.threadId);
      if (thread) thread.replies.push(comment);
      else {
        const isMuted = muted.has(comment.threadId);
        threads.set(comment.threadId, { id: comment.threadId, root: comment, replies: [], isMuted });
      }
    }
  return [...threads.values()];
}

export function isDismissed({ root }: Thread): boolean {
  return root.triageState === 'dismissed';
}

export function matches(thread: Thread, filter: ThreadFilter): boolean {
  return filter === 'all' || isDismissed(thread) === (filter === 'dismissed');
}

/** Including replies, as in the list of plans. */
export function countComments(threads: readonly Thread[]): number {
  return threads.reduce((sum, { replies }) => sum + 1 + replies.length, 0);
}

/** The range of its quote in the current version. */
export function placeOf({ root }: Thread): { start: number; end: number } | undefined {
  const { placement } = root;
  return placement && placement.result !== 'orphaned' ? placement : undefined;
}

export interface PlacedThreads {
  /** Beside their quotes, in text order. */
  beside: Thread[];
  /** About the whole plan, or about text that was never in it. */
  general: Thread[];
  orphaned: Thread[];
}

export function sortByPlace(threads: readonly Thread[]): PlacedThreads {
  const { beside = [], general = [], orphaned = [] } = Object.groupBy(threads, groupOf);
  const start = (thread: Thread) => placeOf(thread)!.start;
  return { beside: beside.toSorted((one, other) => start(one) - start(other)), general, orphaned };
}

function groupOf({ root }: Thread): keyof PlacedThreads {
  if (!root.placement) return 'general';
  return root.placement.result === 'orphaned' ? 'orphaned' : 'beside';
}

/** The quote: as it was in the comment's version, or as its author wrote it. */
export function quoteOf({ anchor, quote }: ThreadComment): string | undefined {
  if (quote !== null) return quote;
  if (anchor === null) return undefined;
  try {
    const written: unknown = JSON.parse(anchor);
    if (typeof written === 'object' && written !== null && 'quote' in written) {
      return typeof written.quote === 'string' ? written.quote : undefined;
    }
  } catch {
    // Free text, as written by agents.
  }
  return anchor;
}

/** The quote before and after, if a later version changed but didn't remove it. */
export function changedWords({
  addressed,
  placement,
}: ThreadComment): { before: string; after: string } | undefined {
  if (placement?.result === 'edited') return { before: placement.oldText, after: placement.newText };
  return addressed?.newText ? { before: addressed.oldText, after: addressed.newText } : undefined;
}
