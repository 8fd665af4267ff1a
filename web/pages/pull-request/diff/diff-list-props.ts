/** Props of the list of differences. */
import type { ReactNode } from 'react';
import type { LineRange } from './diff-lines.ts';
import type { ChangedFile, Side } from './diff-types.ts';
import type { Content } from './file-rows.ts';
import type { LineSelection } from './line-selection.ts';
import type { WantedFile } from './use-file-diffs.ts';
import type { ListedFile, Rows } from './use-rows.ts';

/** The last jump: its target stays in place until the person scrolls on. */
export type Target =
  | { path: string }
  | { card: string; path: string }
  | { line: { side: Side; number: number }; path: string };

export interface DiffListProps {
  rows: Rows;
  columns: 1 | 2;
  /** Every row exists, so that the browser's own search finds everything. */
  isWhole: boolean;
  /** How much of the window's top is covered. */
  coveredTop: number;
  selection: LineSelection | undefined;
  target: Target | undefined;
  /** Whether removed lines take comments too. */
  takesOldComments: boolean;
  onSelect(selection: LineSelection): void;
  onComment: ((selection: LineSelection) => void) | undefined;
  onOpenGap(path: string, range: LineRange): void;
  onWant(files: readonly WantedFile[]): void;
  onRetry(path: string): void;
  headerOf(file: ListedFile): ReactNode;
  cardOf(id: string): ReactNode;
  contentOf(content: Content, file: ChangedFile): ReactNode;
}
