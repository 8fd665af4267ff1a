/** Whether the window has room for the sidebar beside the difference. */
import { useSyncExternalStore } from 'react';

const WIDE = '(width >= 64rem)';

export function useIsWide(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(WIDE).matches);
}

function watch(onChange: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
