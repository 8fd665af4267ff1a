/** The rows of one file as the list shows them: its header, what replaces its lines, lines, gaps and cards. Pure. */
import { languageOf } from '../../../parts/code/language-of.ts';
import { CONTEXT_LINES, type DiffLine, type LineRange, linesAround, linesOfHunks } from './diff-lines.ts';
import { type DiffRow, type Placed, rowsOf } from './diff-rows.ts';
import type { ChangedFile, FileDiff } from './diff-types.ts';
import { blocksOf, type ColorBlock } from './line-colors.ts';
import type { LoadedFile } from './use-file-diffs.ts';

export type FileRow =
  | DiffRow
  | { type: 'header'; key: 'header' }
  | { type: 'notice'; key: string; notice: Notice }
  /** In place of lines: images, the targets of a link, the commits of a submodule. */
  | { type: 'content'; key: string; content: Content }
  | { type: 'loading'; key: 'loading' }
  | { type: 'failed'; key: 'failed'; error: Error };

export type Content = { kind: 'images' | 'submodule' } | { kind: 'links'; diff: FileDiff };

/** Why a file has no lines, or not all of them. */
export type Notice = 'binary' | 'too_large' | 'renamed' | 'empty' | 'whitespace' | 'mode' | 'truncated';

export interface FileState {
  file: ChangedFile;
  isCollapsed: boolean;
  /** Threads and comments being written on lines. */
  placed: readonly Placed[];
  /** Threads on the whole file. */
  onFile: readonly string[];
  /** Lines of gaps that were opened, on the new side. */
  opened: readonly LineRange[];
}

export interface FileRows {
  rows: FileRow[];
  blocks: ReadonlyMap<DiffLine, ColorBlock>;
  /** Still to be loaded: the difference, or unchanged lines that it doesn't have. */
  needs: 'diff' | 'whole' | undefined;
}

const NO_BLOCKS: ReadonlyMap<DiffLine, ColorBlock> = new Map();
const HEADER: FileRow = { type: 'header', key: 'header' };
const LOADING: FileRow = { type: 'loading', key: 'loading' };

export function fileRows(
  { file, isCollapsed, onFile, opened, placed }: FileState,
  loaded: LoadedFile | undefined,
  columns: 1 | 2,
): FileRows {
  const top: FileRow[] = [HEADER];
  if (isCollapsed) return { rows: top, blocks: NO_BLOCKS, needs: undefined };
  top.push(...onFile.map(cardRow));
  if (isImage(file)) top.push(contentRow({ kind: 'images' }));
  const instead = insteadOfLines(file);
  if (instead)
    return {
      rows: [...top, ...placed.map(({ id }) => cardRow(id)), ...instead],
      blocks: NO_BLOCKS,
      needs: undefined,
    };
  if (loaded?.error) {
    const failed: FileRow = { type: 'failed', key: 'failed', error: loaded.error };
    return { rows: [...top, failed], blocks: NO_BLOCKS, needs: undefined };
  }
  const { diff, whole } = loaded ?? {};
  if (!diff) return { rows: [...top, LOADING], blocks: NO_BLOCKS, needs: 'diff' };
  if (file.kind === 'symlink')
    return {
      rows: [...top, ...placed.map(({ id }) => cardRow(id)), contentRow({ kind: 'links', diff })],
      blocks: NO_BLOCKS,
      needs: undefined,
    };
  const around = placed
    .filter(({ side }) => side === 'new')
    .map(({ line }) => ({ first: line - CONTEXT_LINES, last: line + CONTEXT_LINES }));
  const headings = new Map(diff.hunks.map(({ heading, newStart }) => [newStart, heading]));
  const lines = whole ? linesAround(whole, [...opened, ...around], headings) : linesOfHunks(diff);
  const { hidden, missing, rows } = rowsOf(lines, placed, columns);
  const hasMore = lines.some(({ kind }) => kind === 'gap');
  const bottom: FileRow[] = [];
  if (lines.length === 0) bottom.push(noticeRow(diff.kind === 'text' ? 'whitespace' : 'empty'));
  if (diff.truncated) bottom.push(noticeRow('truncated'));
  return {
    rows: [...top, ...missing.map(({ id }) => cardRow(id)), ...rows, ...bottom],
    blocks: blocksOf(lines, languageOf(file.path)),
    needs: !whole && hasMore && opened.length + hidden.length + missing.length > 0 ? 'whole' : undefined,
  };
}

function cardRow(id: string): FileRow {
  return { type: 'card', key: `card ${id}`, id };
}

function noticeRow(notice: Notice): FileRow {
  return { type: 'notice', key: `notice ${notice}`, notice };
}

function contentRow(content: Content): FileRow {
  return { type: 'content', key: content.kind, content };
}

/** The rows of a file whose lines aren't shown; undefined for one that has lines, and for a link, whose target is read like one. */
function insteadOfLines(file: ChangedFile): FileRow[] | undefined {
  const { change, kind } = file;
  if (kind === 'submodule') return [contentRow({ kind })];
  if (kind === 'symlink') return undefined;
  if (kind !== 'text') return isImage(file) ? [] : [noticeRow(kind)];
  if (file.added !== 0 || file.deleted !== 0) return undefined;
  if (change === 'renamed' || change === 'copied') return [noticeRow('renamed')];
  return [noticeRow(change === 'added' || change === 'deleted' ? 'empty' : 'mode')];
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** An SVG has lines too. */
function isImage({ kind, path }: ChangedFile): boolean {
  return (kind === 'binary' && IMAGE.test(path)) || (kind === 'text' && /\.svg$/i.test(path));
}
