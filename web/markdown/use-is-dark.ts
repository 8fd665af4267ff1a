/** Whether the page is dark: by its own setting, otherwise by the system's. */
import { useSyncExternalStore } from 'react';
import { useTheme } from '../frame/theme.ts';

const SYSTEM = matchMedia('(prefers-color-scheme: dark)');

export function useIsDark(): boolean {
  const [theme] = useTheme();
  const isSystemDark = useSyncExternalStore(
    (listener) => {
      SYSTEM.addEventListener('change', listener);
      return () => SYSTEM.removeEventListener('change', listener);
    },
    () => SYSTEM.matches,
  );
  return theme === 'system' ? isSystemDark : theme === 'dark';
}
