/** The files that are collapsed, and the unchanged lines that were opened between hunks. */
import { useCallback, useState } from 'react';
import type { LineRange } from '../diff/diff-lines.ts';

export interface FoldedFiles {
  collapsed: ReadonlyMap<string, boolean>;
  opened: ReadonlyMap<string, readonly LineRange[]>;
  collapse(path: string, isCollapsed: boolean): void;
  collapseAll(paths: readonly string[], isCollapsed: boolean): void;
  expand(path: string): void;
  openGap(path: string, range: LineRange): void;
}

export function useFoldedFiles(): FoldedFiles {
  const [collapsed, setCollapsed] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly LineRange[]>>(new Map());
  const collapse = useCallback(
    (path: string, isCollapsed: boolean) => setCollapsed((before) => new Map(before).set(path, isCollapsed)),
    [],
  );
  return {
    collapsed,
    opened,
    collapse,
    collapseAll: (paths, isCollapsed) =>
      setCollapsed(new Map(paths.map((path) => [path, isCollapsed] as const))),
    expand: useCallback((path: string) => collapse(path, false), [collapse]),
    openGap: (path, range) =>
      setOpened((before) => new Map(before).set(path, [...(before.get(path) ?? []), range])),
  };
}
