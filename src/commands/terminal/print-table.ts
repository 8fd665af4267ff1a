/** Prints lists as columns for people or as JSON for scripts. */
import { columnsOf, printable, printableJson } from './printable.ts';

type Row = Record<string, string | null>;

export function printRows(rows: Row[], options: { json: boolean; empty: string }): void {
  if (options.json) process.stdout.write(`${printableJson(rows)}\n`);
  else if (rows.length === 0) process.stdout.write(`${options.empty}\n`);
  else process.stdout.write(tableOf(rows));
}

/** Aligned columns with headings derived from the field names: `createdAt` becomes CREATED AT. */
export function tableOf(rows: Row[]): string {
  const names = Object.keys(rows[0]!);
  const lines = [
    names.map((name) => name.replaceAll(/[A-Z]/g, ' $&').toUpperCase()),
    ...rows.map((row) => names.map((name) => printable(row[name] ?? '-'))),
  ];
  const widths = names.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, columnsOf(line[column]!)), 0),
  );
  const pad = (cell: string, column: number) => cell + ' '.repeat(widths[column]! - columnsOf(cell));
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}
