/** Moves between threads: by keys, by the address, or by a click. */
import { type RefObject, useRef } from 'react';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { neighborOf } from '../threads/thread-steps.tsx';
import { useActiveInView, useJumpTo } from './show-thread.ts';
import type { useReader } from './use-reader.ts';

/** Returns the step to a neighboring thread; false without one. */
export function useThreadNavigation(
  reader: ReturnType<typeof useReader>,
  options: {
    text: RefObject<HTMLDivElement | null>;
    isMargin: boolean;
    isReady: boolean;
    /** The comment named in the address. */
    wanted: string | undefined;
  },
): (by: number) => boolean {
  const { activate, activeId, query, threads } = reader;
  /** Set if the card should get the focus once it is rendered. */
  const takesFocus = useRef(false);
  useActiveInView(activeId, options.text, { isMargin: options.isMargin, takesFocus });
  const step = (by: number) => {
    const next = neighborOf(threads, activeId, by);
    if (next === undefined) return false;
    takesFocus.current = true;
    activate(next);
    return true;
  };
  usePageShortcuts([
    { keys: ['n'], meaning: 'Next thread', act: () => step(1) },
    { keys: ['p'], meaning: 'Previous thread', act: () => step(-1) },
  ]);
  useJumpTo(options.wanted, options.isReady && query.isSuccess, (id) => {
    const found = reader.all.find((each) =>
      [each.root, ...each.replies].some((comment) => comment.id === id),
    );
    if (!found) return;
    reader.setFilter('all');
    takesFocus.current = true;
    activate(found.id);
  });
  return step;
}
