/** Whether the window is at least so wide that something has room. */
import { useMemo, useSyncExternalStore } from 'react';

/** The sidebar beside the difference. */
const WIDE = 64;
/** In two columns, 80 letters a side beside the files, and beside the files and the whole navigation. */
const WITH_FILES = 108;
const WITH_FILES_AND_NAVIGATION = 120;

export function useIsWide(): boolean {
  return useIsAtLeast(WIDE);
}

/** Whether two columns leave room for the files, and for the navigation too. */
export function useRoomBeside(): { files: boolean; navigation: boolean } {
  return { files: useIsAtLeast(WITH_FILES), navigation: useIsAtLeast(WITH_FILES_AND_NAVIGATION) };
}

function useIsAtLeast(rem: number): boolean {
  const [subscribe, matches] = useMemo(() => {
    const query = matchMedia(`(width >= ${rem}rem)`);
    return [
      (onChange: () => void) => {
        query.addEventListener('change', onChange);
        return () => query.removeEventListener('change', onChange);
      },
      () => query.matches,
    ] as const;
  }, [rem]);
  return useSyncExternalStore(subscribe, matches);
}
