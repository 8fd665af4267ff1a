/** Says so while the browser has no network, instead of letting pages look fresh. */
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
      You are offline. What you see may be old; changes are not saved until you are back.
    </div>
  );
}
