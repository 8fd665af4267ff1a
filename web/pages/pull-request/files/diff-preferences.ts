/** How this person reads differences, kept in this browser. */
import { useState } from 'react';
import { useSession } from '../../../api/queries.ts';

export interface DiffPreferences {
  columns: 1 | 2;
  ignoreWhitespace: boolean;
  /** Whether the files are shown beside the lines, in one and in two columns; undefined until it was chosen. */
  hasTree: { 1?: boolean | undefined; 2?: boolean | undefined };
}

const KEY = 'countersign-diff';
const DEFAULTS: DiffPreferences = { columns: 1, ignoreWhitespace: false, hasTree: {} };

export function useDiffPreferences(): [DiffPreferences, (change: Partial<DiffPreferences>) => void] {
  const key = `${KEY}:${useSession().user.id}`;
  const [preferences, setPreferences] = useState(() => read(key));
  const change = (changed: Partial<DiffPreferences>) => {
    const next = { ...preferences, ...changed };
    setPreferences(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  return [preferences, change];
}

function read(key: string): DiffPreferences {
  try {
    // Earlier versions kept them for everybody who uses the browser.
    const stored = JSON.parse(localStorage.getItem(key) ?? localStorage.getItem(KEY) ?? '{}');
    const hasTree = (columns: 1 | 2) => {
      const chosen: unknown = stored.hasTree?.[columns];
      return typeof chosen === 'boolean' ? chosen : undefined;
    };
    return {
      columns: stored.columns === 2 ? 2 : 1,
      ignoreWhitespace: stored.ignoreWhitespace === true,
      hasTree: { 1: hasTree(1), 2: hasTree(2) },
    };
  } catch {
    return DEFAULTS;
  }
}
