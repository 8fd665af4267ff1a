/** Light or dark: the system's preference, or the one chosen in this browser. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const THEMES: Theme[] = ['system', 'light', 'dark'];
const STORAGE_KEY = 'countersign-theme';
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const kept = localStorage.getItem(STORAGE_KEY);
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
    localStorage.setItem(STORAGE_KEY, chosen);
    applyTheme();
    for (const listener of listeners) listener();
  };
  return [theme, setTheme];
}
