/** The keyboard's ways: `g` and a letter goes somewhere, Ctrl-K or / opens the palette, ? the help. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Place } from './navigation.ts';

const SECOND_KEY_MS = 1500;

export function useShortcuts(places: Place[], ways: { openPalette(): void; openHelp(): void }): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goPressedMs = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        ways.openPalette();
        return;
      }
      if (command || event.altKey || isTyping(event.target) || document.querySelector('[role="dialog"]'))
        return;
      const place = places.find(({ key }) => key === event.key);
      if (place && performance.now() - goPressedMs < SECOND_KEY_MS) {
        goPressedMs = Number.NEGATIVE_INFINITY;
        event.preventDefault();
        void navigate({ to: place.to });
      } else if (event.key === 'g') goPressedMs = performance.now();
      else if (event.key === '?') ways.openHelp();
      else if (event.key === '/') {
        event.preventDefault();
        ways.openPalette();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}
