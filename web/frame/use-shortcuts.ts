/** Keyboard shortcuts: `g` and a letter opens a page, Ctrl-K or / the palette, ? the help; a page may add its own. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { NavItem } from './navigation.ts';

const SECOND_KEY_MS = 1500;

export interface PageShortcut {
  /** Any one of them, as the browser names them; the help shows the first. */
  keys: string[];
  /** Its description in the help. */
  meaning: string;
  /** Returns false when it does not apply: the key then does what it does everywhere. */
  act(key: string): boolean;
}

const ofPages = new Set<{ current: PageShortcut[] }>();

/** The shortcuts of the page that is shown; they win over those of the frame, except after `g`. */
export function usePageShortcuts(shortcuts: PageShortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    ofPages.add(latest);
    return () => void ofPages.delete(latest);
  }, []);
}

export function pageShortcuts(): PageShortcut[] {
  return [...ofPages].flatMap(({ current }) => current);
}

export function useShortcuts(items: NavItem[], actions: { openPalette(): void; openHelp(): void }): void {
  const navigate = useNavigate();
  const goPressedMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        actions.openPalette();
        return;
      }
      if (command || event.altKey || isTyping(event.target) || isCovered()) return;
      const item = items.find(({ key }) => key === event.key);
      if (item && performance.now() - goPressedMs.current < SECOND_KEY_MS) {
        goPressedMs.current = Number.NEGATIVE_INFINITY;
        event.preventDefault();
        void navigate({ to: item.to });
      } else if (event.key === 'g') goPressedMs.current = performance.now();
      else if (pageShortcuts().some(({ act, keys }) => keys.includes(event.key) && act(event.key))) {
        event.preventDefault();
      } else if (event.key === '?') actions.openHelp();
      else if (event.key === '/') {
        event.preventDefault();
        actions.openPalette();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable="true"]')
  );
}

/** Whether a dialog or menu is open over the page. */
function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
