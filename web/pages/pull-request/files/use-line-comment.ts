/** Selecting lines and commenting on them; `c` comments on the selected ones. */
import { useState } from 'react';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import { useWriting } from './use-writing.ts';

export interface LineComment {
  selection: LineSelection | undefined;
  /** Lines or a file (lines 0 to 0) that a comment is being written on. */
  writing: LineSelection | undefined;
  select(place: LineSelection | undefined): void;
  /** Missing for those who may not comment. */
  comment: ((place: LineSelection) => void) | undefined;
  commentOnFile(path: string, side: LineSelection['side']): void;
  stop(): void;
}

export function useLineComment(given: {
  pullRequestId: string;
  mayComment: boolean;
  /** Removed lines take comments only if they are compared with the base: others have no place in the pull request. */
  isFromBase: boolean;
  /** Set when only this commit is shown: its lines have other numbers. */
  commit: string | undefined;
}): LineComment {
  const { commit, isFromBase, mayComment, pullRequestId } = given;
  const [writing, write] = useWriting(pullRequestId, commit);
  const [selection, select] = useState<LineSelection | undefined>(writing);
  const comment = (place: LineSelection) => {
    if (place.side === 'old' && !isFromBase) return;
    select(place);
    write(place);
  };
  usePageShortcuts([
    {
      keys: ['c'],
      meaning: 'Comment on the selected lines',
      act() {
        if (!selection || !mayComment) return false;
        comment(selection);
        return true;
      },
    },
  ]);
  return {
    selection,
    writing,
    select,
    comment: mayComment ? comment : undefined,
    commentOnFile: (path, side) => write({ path, side, first: 0, last: 0 }),
    stop() {
      write(undefined);
      select(undefined);
    },
  };
}
