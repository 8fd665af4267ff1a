/** One file of the list: its header, which stays in view, and those of its rows that are near the viewport. */
import type { VirtualItem } from '@tanstack/react-virtual';
import { Button } from '../../../components/button.tsx';
import { inOneLine } from '../../../parts/code/marked-text.tsx';
import { lineNumber } from './diff-lines.ts';
import type { DiffListProps } from './diff-list-props.ts';
import type { LineRow as LineRowData } from './diff-rows.ts';
import type { Side } from './diff-types.ts';
import { FileNotice } from './file-notice.tsx';
import type { FileRow } from './file-rows.ts';
import { GapRow } from './gap-row.tsx';
import type { LineColors } from './line-colors.ts';
import { LineRow } from './line-row.tsx';
import { isSelected } from './line-selection.ts';
import { isMeasured, SPACE_ABOVE_FILE } from './row-heights.ts';
import { CELL, rowRole, tableRole } from './table-roles.ts';
import type { ListedFile } from './use-rows.ts';

interface FileSectionProps extends DiffListProps {
  file: ListedFile;
  items: readonly VirtualItem[];
  top: number;
  height: number;
  margin: number;
  letters: number;
  colors: LineColors;
  measure(element: Element | null): void;
}

export function FileSection(props: FileSectionProps) {
  const { coveredTop, file, headerOf, height, items, letters, margin, measure, rows, top } = props;
  const { path } = file.state.file;
  const name = inOneLine(path);
  const own = items.filter(({ index }) => index > file.start);
  return (
    <section
      aria-label={name}
      data-path={path}
      className="absolute inset-x-0 overflow-clip rounded-lg border border-line bg-raised"
      style={{ top: top - margin + SPACE_ABOVE_FILE, height: height - SPACE_ABOVE_FILE }}
    >
      <div className="sticky z-10" style={{ top: coveredTop }}>
        {headerOf(file)}
      </div>
      {own.length > 0 && (
        <div {...tableRole(`Changes in ${name}`, file.rows.length - 1)}>
          {own.map((item) => {
            const { row } = rows.all[item.index]!;
            return (
              <div
                key={item.key}
                {...rowRole(item.index - file.start)}
                data-index={item.index}
                ref={isMeasured(row, letters) ? measure : undefined}
                className={`absolute inset-x-0 ${row.type === 'line' ? 'markdown diff-line' : ''}`}
                style={{ top: item.start - top - SPACE_ABOVE_FILE }}
              >
                <RowContent {...props} row={row} index={item.index} />
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
}

function RowContent(props: FileSectionProps & { row: FileRow; index: number }) {
  const { cardOf, contentOf, file, onOpenGap, onRetry, row } = props;
  const { path } = file.state.file;
  switch (row.type) {
    case 'line':
      return <Line {...props} row={row} />;
    case 'gap':
      return <GapRow gap={row.gap} onOpen={(range) => onOpenGap(path, range)} />;
    case 'notice':
      return <FileNotice notice={row.notice} file={file.state.file} />;
    case 'content':
      return contentOf(row.content, file.state.file);
    case 'card':
      return (
        <div {...CELL} className="border-y border-line bg-sunken px-3 py-3 sm:px-4">
          {cardOf(row.id)}
        </div>
      );
    case 'failed':
      return (
        <span {...CELL} className="flex items-center justify-center gap-3 px-4 py-4 text-sm">
          <span className="text-danger">{row.error.message}</span>
          <Button size="small" onClick={() => onRetry(path)}>
            Try again
          </Button>
        </span>
      );
    case 'loading':
      return (
        <span {...CELL} className="block px-4 py-3 text-sm text-quiet">
          Loading…
        </span>
      );
    case 'header':
      return null;
  }
}

function Line(props: FileSectionProps & { row: LineRowData; index: number }) {
  const { colors, columns, file, index, row, selection } = props;
  const { left, right } = row;
  const { path } = file.state.file;
  const has = (side: Side) => {
    const line = side === 'old' ? left : right;
    const number = line && lineNumber(line, side);
    return number !== undefined && isSelected(selection, path, side, number);
  };
  return (
    <LineRow
      left={left}
      right={right}
      columns={columns}
      leftWords={left && colors.of(left)}
      rightWords={right && colors.of(right)}
      chosen={has('new') ? 'new' : has('old') ? 'old' : undefined}
      stop={stopOf(file, index, selection?.path === path, has)}
    />
  );
}

/** One number of each file is in the tab order: the last selected line, otherwise the first line. */
function stopOf(
  file: ListedFile,
  index: number,
  isSelectedFile: boolean,
  has: (side: Side) => boolean,
): Side | undefined {
  if (isSelectedFile) return has('new') ? 'new' : has('old') ? 'old' : undefined;
  const firstLine = file.rows.findIndex(({ type }) => type === 'line');
  if (index - file.start !== firstLine) return undefined;
  const row = file.rows[firstLine] as LineRowData;
  return row.right ? 'new' : 'old';
}
