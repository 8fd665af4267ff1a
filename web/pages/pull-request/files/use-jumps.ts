/** Jumping to files and discussions: which one is active, what to scroll to, and steps through the open ones. */
import { useCallback, useEffect, useState } from 'react';
import type { PullRequestSearch } from '../../../page-search.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import { CONTEXT_LINES, type LineRange } from '../diff/diff-lines.ts';
import type { Target } from '../diff/diff-list-props.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import { readLines } from './line-address.ts';

export interface Jumps {
  /** The discussion that keys act on. */
  active: string | undefined;
  /** The discussion that takes the focus once it is on the page. */
  focused: string | undefined;
  target: Target | undefined;
  /** Index of the active one among the open discussions, from 0. */
  at: number | undefined;
  openCount: number;
  activate(id: string | undefined): void;
  focus(id: string | undefined): void;
  showFile(path: string): void;
  /** Without opening it if it is collapsed. */
  goToFile(path: string): void;
  /** Returns false if it isn't in this comparison. */
  showDiscussion(id: string): boolean;
  step(by: 1 | -1): boolean;
}

export function useJumps(given: {
  search: PullRequestSearch;
  /** In the order of the page. */
  order: readonly { id: string; path: string }[];
  discussions: ReadonlyMap<string, Discussion>;
  expand(path: string): void;
  openGap(path: string, range: LineRange): void;
  select(lines: LineSelection): void;
}): Jumps {
  const { discussions, expand, openGap, order, search, select } = given;
  const [active, setActive] = useState<string | undefined>(search.discussion);
  const [focused, setFocused] = useState<string>();
  const [target, setTarget] = useState<Target>();
  const showFile = useCallback(
    (path: string) => {
      expand(path);
      setTarget({ path });
    },
    [expand],
  );
  const showDiscussion = (id: string) => {
    const place = order.find((each) => each.id === id);
    if (!place) return false;
    expand(place.path);
    setActive(id);
    setFocused(id);
    setTarget({ path: place.path, card: id });
    return true;
  };
  const showLines = (lines: LineSelection) => {
    const { first, last, path, side } = lines;
    expand(path);
    select(lines);
    // Only lines of the new side are hidden in gaps.
    if (side === 'new') openGap(path, { first: first - CONTEXT_LINES, last: last + CONTEXT_LINES });
    setTarget({ path, line: { side, number: first } });
  };
  // The address names a discussion, lines or a file to show first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the discussion is known, and for another address.
  useEffect(() => {
    if (search.discussion) showDiscussion(search.discussion);
    else if (search.path) {
      const lines = readLines(search.path, search.lines);
      if (lines) showLines(lines);
      else showFile(search.path);
    }
  }, [
    search.discussion,
    search.path,
    search.lines,
    search.discussion !== undefined && discussions.has(search.discussion),
  ]);
  const openOnes = order.filter(({ id }) => discussions.get(id)?.status === 'open');
  const at = openOnes.findIndex(({ id }) => id === active);
  const count = openOnes.length;
  return {
    active,
    focused,
    target,
    at: at < 0 ? undefined : at,
    openCount: count,
    activate: setActive,
    focus: setFocused,
    showFile,
    goToFile: (path) => setTarget({ path }),
    showDiscussion,
    step(by) {
      if (count === 0) return false;
      const next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
      return showDiscussion(openOnes[next]!.id);
    },
  };
}
