/** Selects lines by their numbers: a click selects one, Shift extends the selection; the arrows move between numbers. */
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { fromTo, type SelectedLines } from './selected-lines.ts';

/** Handlers for the element that contains all numbers. */
export function useLineSelection(
  selected: SelectedLines | undefined,
  onSelect: ((selected: SelectedLines) => void) | undefined,
) {
  const anchor = useRef<number>(undefined);
  if (!onSelect) return {};
  const choose = (number: number, widen: boolean) => {
    const from = widen ? (anchor.current ?? selected?.first ?? number) : number;
    anchor.current = from;
    onSelect(fromTo(from, number));
  };
  return {
    onMouseDown(event: MouseEvent) {
      // Shift would select the text in between.
      if (event.shiftKey && numberAt(event.target)) event.preventDefault();
    },
    onClick(event: MouseEvent) {
      const number = numberAt(event.target);
      if (number) choose(number, event.shiftKey);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const number = numberAt(event.target);
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!number || !by) return;
      const next = event.currentTarget.querySelector<HTMLElement>(`button[data-number="${number + by}"]`);
      if (!next) return;
      event.preventDefault();
      next.focus();
      if (event.shiftKey) choose(number + by, true);
    },
  };
}

function numberAt(target: EventTarget): number | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const number = target.closest<HTMLElement>('button[data-number]')?.dataset.number;
  return number === undefined ? undefined : Number(number);
}
