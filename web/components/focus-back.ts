/** Restores the focus when a dialog closes; Radix does so only for dialogs with a trigger. */
import { useLayoutEffect, useRef } from 'react';

/** For `onCloseAutoFocus` of a dialog's content. */
export function useFocusBack(open: boolean): (event: Event) => void {
  const before = useRef<Element>(null);
  // Before the content is mounted: a field in it may take the focus immediately.
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  return (event) => {
    event.preventDefault();
    const there = before.current?.isConnected ? before.current : document.getElementById('content');
    if (there instanceof HTMLElement) there.focus();
  };
}
