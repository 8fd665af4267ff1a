/** The state of each file in the list. What is the same keeps its object: a file its rows, and the whole list its measurements. */
import { useMemo, useRef } from 'react';
import type { LineRange } from '../diff/diff-lines.ts';
import type { Placed } from '../diff/diff-rows.ts';
import type { ChangedFile } from '../diff/diff-types.ts';
import type { FileState } from '../diff/file-rows.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import type { PlacedDiscussions } from '../threads/place-discussions.ts';

/** The card of the comment that is being written. */
export const NEW_CARD = 'new';

const NO_LINES: readonly LineRange[] = [];
const NO_CARDS = '';

export function useFileStates(given: {
  files: readonly ChangedFile[];
  placed: PlacedDiscussions;
  writing: LineSelection | undefined;
  collapsed: ReadonlyMap<string, boolean>;
  opened: ReadonlyMap<string, readonly LineRange[]>;
}): readonly FileState[] {
  const { collapsed, files, opened, placed, writing } = given;
  const cache = useRef(new Map<string, { state: FileState; cards: string }>());
  const latest = useRef<readonly FileState[]>([]);
  return useMemo(() => {
    const stateOf = (file: ChangedFile) => {
      const { path } = file;
      const isCollapsed = collapsed.get(path) ?? (file.viewed || file.generated);
      const isPlain = writing?.path !== path && !placed.onLines.has(path) && !placed.onFiles.has(path);
      const before = cache.current.get(path);
      const isSame =
        before !== undefined &&
        before.state.file === file &&
        before.state.isCollapsed === isCollapsed &&
        before.state.opened === (opened.get(path) ?? NO_LINES);
      // Nearly all of thousands of files.
      if (isSame && isPlain && before.cards === NO_CARDS) return before.state;
      const onLines: Placed[] = [...(placed.onLines.get(path) ?? [])];
      const onFile = [...(placed.onFiles.get(path) ?? [])];
      if (writing?.path === path) {
        if (writing.last === 0) onFile.push(NEW_CARD);
        else onLines.push({ id: NEW_CARD, side: writing.side, line: writing.last });
      }
      const state: FileState = {
        file,
        isCollapsed,
        placed: onLines,
        onFile,
        opened: opened.get(path) ?? NO_LINES,
      };
      const cards = isPlain ? NO_CARDS : JSON.stringify([onLines, onFile]);
      if (isSame && before.cards === cards) return before.state;
      cache.current.set(path, { state, cards });
      return state;
    };
    const states = files.map(stateOf);
    const isSame =
      states.length === latest.current.length &&
      states.every((state, index) => state === latest.current[index]);
    if (!isSame) latest.current = states;
    return latest.current;
  }, [collapsed, files, opened, placed, writing]);
}
