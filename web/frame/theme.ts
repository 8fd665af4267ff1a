/** Light or dark: the system's preference, unless this browser was told otherwise. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const THEMES: Theme[] = ['system', 'light', 'dark'];
const PLACE = 'countersign-theme';
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const kept = localStorage.getItem(PLACE);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
  const setTheme = (chosen: Theme) => {
    localStorage.setItem(PLACE, chosen);
    applyTheme();
    for (const listener of listeners) listener();
  };
  return [theme, setTheme];
}
