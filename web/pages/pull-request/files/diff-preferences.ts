/** How this person reads differences, kept in this browser. */
import { useState } from 'react';

export interface DiffPreferences {
  columns: 1 | 2;
  ignoreWhitespace: boolean;
}

const KEY = 'countersign-diff';
const DEFAULTS: DiffPreferences = { columns: 1, ignoreWhitespace: false };

export function useDiffPreferences(): [DiffPreferences, (change: Partial<DiffPreferences>) => void] {
  const [preferences, setPreferences] = useState(read);
  const change = (changed: Partial<DiffPreferences>) => {
    const next = { ...preferences, ...changed };
    setPreferences(next);
    localStorage.setItem(KEY, JSON.stringify(next));
  };
  return [preferences, change];
}

function read(): DiffPreferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<string, unknown>>;
    return { columns: stored.columns === 2 ? 2 : 1, ignoreWhitespace: stored.ignoreWhitespace === true };
  } catch {
    return DEFAULTS;
  }
}
