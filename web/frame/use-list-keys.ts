/** Moves through a list with j and k or the arrows; Enter opens the focused entry, which is a link. */
import { type RefObject, useRef } from 'react';
import { usePageShortcuts } from './use-shortcuts.ts';

/** For the link of each entry. */
export const LIST_ENTRY = { 'data-list-entry': '' };

export function useListKeys<List extends HTMLElement>(what: string): RefObject<List | null> {
  const list = useRef<List>(null);
  const move = (by: number) => (key: string) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[data-list-entry]') ?? [])];
    const now = entries.indexOf(document.activeElement as HTMLElement);
    // Outside the list the arrows scroll the page.
    if (entries.length === 0 || (now < 0 && key.startsWith('Arrow'))) return false;
    entries[Math.min(Math.max(now + by, 0), entries.length - 1)]!.focus();
    return true;
  };
  usePageShortcuts([
    { keys: ['j', 'ArrowDown'], meaning: `Next ${what}`, act: move(1) },
    { keys: ['k', 'ArrowUp'], meaning: `Previous ${what}`, act: move(-1) },
    // The browser follows the link; listed here for the help.
    { keys: ['Enter'], meaning: `Open ${what}`, act: () => false },
  ]);
  return list;
}
