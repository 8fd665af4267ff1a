/** Comments by keyboard alone: `c` starts with a sentence, the arrows move to others, Enter comments on it. */
import { type ReactNode, type RefObject, useState } from 'react';
import { Keys } from '../../../components/kbd.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { type SourceRange, selectionToSource } from '../../../markdown/index.ts';
import { selectSentence } from './sentences.ts';
import { bringRangeIntoView, stickyHeight } from './show-thread.ts';

/** Returns a hint that is shown while a sentence is being selected. */
export function useCommentKeys(
  text: RefObject<HTMLElement | null>,
  {
    mayWrite,
    focused,
    comment,
    close,
  }: {
    mayWrite: boolean;
    /** The range that has the focus, such as a heading in the contents. */
    focused(): SourceRange | undefined;
    comment(range?: SourceRange): void;
    /** Closes the open thread. */
    close(): void;
  },
): ReactNode {
  const [sentence, setSentence] = useState<string>();
  const isChoosing = sentence !== undefined;
  const select = (by: 1 | -1) => {
    const found = text.current ? selectSentence(text.current, by, stickyHeight()) : undefined;
    if (found === undefined) return;
    setSentence(found);
    bringRangeIntoView();
  };
  const commentOn = (range: SourceRange | undefined) => {
    setSentence(undefined);
    comment(range);
    return true;
  };
  const leave = () => {
    getSelection()?.removeAllRanges();
    setSentence(undefined);
  };
  const whileChoosing = (act: () => void) => () => {
    // A click or another key may have changed the selection: then there is no sentence to move from.
    if (isChoosing && !selectedIn(text.current)) setSentence(undefined);
    else if (isChoosing) act();
    return isChoosing;
  };
  usePageShortcuts([
    {
      keys: ['c'],
      meaning: 'Comment on the selection, or choose a sentence',
      act() {
        if (!mayWrite) return false;
        const range = selectedIn(text.current) ?? focused();
        if (range) return commentOn(range);
        select(1);
        return true;
      },
    },
    {
      keys: ['ArrowDown', 'ArrowRight'],
      meaning: 'Next sentence, after c',
      act: whileChoosing(() => select(1)),
    },
    {
      keys: ['ArrowUp', 'ArrowLeft'],
      meaning: 'Previous sentence, after c',
      act: whileChoosing(() => select(-1)),
    },
    {
      keys: ['Enter'],
      meaning: 'Comment on the sentence, after c',
      act: whileChoosing(() => commentOn(selectedIn(text.current))),
    },
    {
      keys: ['Escape'],
      meaning: 'Close the thread, or stop choosing',
      act() {
        if (isChoosing) leave();
        else close();
        return isChoosing;
      },
    },
    {
      keys: ['C'],
      meaning: 'Add a general comment',
      act: () => mayWrite && commentOn(undefined),
    },
  ]);
  return (
    <>
      <p role="status" className="sr-only">
        {sentence}
      </p>
      {isChoosing && (
        <div className="fixed bottom-4 left-1/2 z-30 flex -translate-x-1/2 items-center gap-4 rounded-full border border-line bg-raised px-4 py-2 text-xs whitespace-nowrap text-quiet shadow-lg lg:ml-[7.5rem]">
          <Hint keys={['↑', '↓']}>Choose a sentence</Hint>
          <Hint keys={['Enter']}>Comment</Hint>
          <Hint keys={['Esc']}>Cancel</Hint>
        </div>
      )}
    </>
  );
}

function Hint({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Keys keys={keys} /> {children}
    </span>
  );
}

/** Read from the browser, because a fast key press can precede the selection event. */
function selectedIn(text: HTMLElement | null): SourceRange | undefined {
  const selection = getSelection();
  return text?.contains(selection?.anchorNode ?? null) ? selectionToSource(selection) : undefined;
}
