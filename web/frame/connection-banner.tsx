/** Shown while the browser is offline. */
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <div role="status" className="sticky top-0 z-30 bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
      You’re offline. This page may be out of date, and changes can’t be saved.
    </div>
  );
}
