/** The comment button at a selection. */
import { MessageSquarePlus } from 'lucide-react';
import { Keys } from '../../../components/kbd.tsx';
import type { SelectedText } from '../../../markdown/index.ts';

/** Above the words; on a touch screen below them, because the browser's own menu is above. */
export function SelectionButton(props: {
  selected: SelectedText;
  /** The element that it is positioned in. */
  within: DOMRect;
  onComment(): void;
}) {
  const { onComment, selected, within } = props;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const { bottom, left, top, width } = selected.rect;
  const above = Math.max(top, 70) - within.top - 42;
  const below = Math.min(bottom, innerHeight - 60) - within.top + 10;
  const middle = Math.min(Math.max(left + width / 2 - within.left, 70), within.width - 70);
  return (
    <button
      type="button"
      // Keeps the selection while the button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onComment}
      className="appear absolute z-20 -ml-16 inline-flex h-9 w-32 items-center justify-center gap-2 rounded-lg border border-line bg-raised text-sm font-medium shadow-lg select-none hover:border-accent hover:text-accent"
      style={{ top: isTouch ? below : above, left: middle }}
    >
      <MessageSquarePlus className="size-4" aria-hidden="true" />
      Comment
      {!isTouch && <Keys keys={['c']} />}
    </button>
  );
}
