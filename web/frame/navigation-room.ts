/** Whether the navigation is collapsed to its icons: as this person chose in this browser, otherwise while a page needs the room. */
import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../api/queries.ts';

const KEY = 'countersign-navigation';
const listeners = new Set<() => void>();
/** Pages that are shown and need the room. */
const needing = new Set<object>();

const notify = () => {
  for (const listener of listeners) listener();
};

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCollapsedNavigation(): [isCollapsed: boolean, collapse: (isCollapsed: boolean) => void] {
  const key = `${KEY}:${useSession().user.id}`;
  const isCollapsed = useSyncExternalStore(listen, () => {
    const chosen = localStorage.getItem(key);
    return chosen === null ? needing.size > 0 : chosen === 'collapsed';
  });
  return [
    isCollapsed,
    (collapsed) => {
      localStorage.setItem(key, collapsed ? 'collapsed' : 'open');
      notify();
    },
  ];
}

/** For a page that would be too narrow beside the whole navigation. */
export function useNavigationRoom(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const page = {};
    needing.add(page);
    notify();
    return () => {
      needing.delete(page);
      notify();
    };
  }, [isNeeded]);
}
