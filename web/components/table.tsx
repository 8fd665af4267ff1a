/** A table that becomes a list of cards where the page is narrow: the wide column is a card's heading. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  name: string;
  /** Read out, but not shown: for columns of buttons. */
  hidden?: boolean;
  cell(row: Row): ReactNode;
  wide?: boolean;
  /** In a card beside the heading, without its name: for a badge. */
  corner?: boolean;
}

export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
}) {
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      <table aria-label={label} className="block w-full text-left text-sm sm:table">
        <thead className="sr-only sm:not-sr-only sm:table-header-group">
          <tr className="border-b border-line bg-sunken text-xs text-quiet">
            {columns.map(({ hidden, name, wide }) => (
              <th
                key={name}
                scope="col"
                className={`px-4 py-2 font-medium ${wide ? 'w-full' : 'whitespace-nowrap'}`}
              >
                <span className={hidden ? 'sr-only' : ''}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line sm:table-row-group">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="grid grid-cols-[1fr_auto] gap-x-3 px-4 py-3.5 sm:table-row sm:p-0"
            >
              {columns.map(({ cell, corner, hidden, name, wide }) => (
                <td
                  key={name}
                  className={`flex min-h-7 items-baseline justify-between gap-4 py-0.5 [&:has(>div:empty)]:hidden sm:[&:has(>div:empty)]:table-cell sm:table-cell sm:px-4 sm:py-2.5 sm:align-middle ${placeOf({ corner, hidden, wide })}`}
                >
                  {!corner && !hidden && !wide && (
                    <span aria-hidden="true" className="shrink-0 text-xs text-quiet sm:hidden">
                      {name}
                    </span>
                  )}
                  <div className="min-w-0">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In a card the heading is on the left of the first line, the button or badge on its right, and all else below. */
function placeOf({ corner, hidden, wide }: Pick<Column<never>, 'corner' | 'hidden' | 'wide'>): string {
  if (wide) return 'col-start-1 row-start-1 pb-1';
  const place = corner || hidden ? 'col-start-2 row-start-1 self-start' : 'col-span-2';
  return `sm:whitespace-nowrap ${place} ${hidden ? 'sm:text-right' : ''}`;
}
