/** How the width of the window is used: one or two columns, with or without the files beside them. */
import { useNavigationRoom } from '../../../frame/navigation-room.ts';
import type { DiffPreferences } from './diff-preferences.ts';
import { useIsWide, useRoomBeside } from './use-is-wide.ts';

interface Room {
  /** There is room for something beside the lines. */
  isWide: boolean;
  columns: 1 | 2;
  hasTree: boolean;
  /** Missing where the files are above the lines. */
  toggleTree: (() => void) | undefined;
}

/** Two columns take the room of the files and of the navigation, unless this person wants them there. */
export function useRoom(
  preferences: DiffPreferences,
  prefer: (change: Partial<DiffPreferences>) => void,
): Room {
  const isWide = useIsWide();
  const beside = useRoomBeside();
  const columns = isWide ? preferences.columns : 1;
  useNavigationRoom(columns === 2 && !beside.navigation);
  const chosen = preferences.hasTree[columns];
  const hasTree = !isWide || (chosen ?? (columns === 1 || beside.files));
  return {
    isWide,
    columns,
    hasTree,
    toggleTree: isWide
      ? () => prefer({ hasTree: { ...preferences.hasTree, [columns]: !hasTree } })
      : undefined,
  };
}
