/** The results as a table for the terminal, as JSON, and as a chart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Result, show } from './measure.ts';

const FOLDER = join(import.meta.dirname, 'results');

/** Keeps earlier results of whatever wasn't measured this time. */
export function writeResults(results: Result[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'latest.json');
  const before: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const isNew = ({ id, what }: Result) => results.some((each) => each.id === id && each.what === what);
  const all = [...before.filter((each) => !isNew(each)), ...results].sort(
    (one, other) => numberOf(one.id) - numberOf(other.id),
  );
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(FOLDER, 'latest.svg'), chart(all));
}

/** Measurements without a number come last. */
function numberOf(id: string): number {
  return /^P\d+$/.test(id) ? Number(id.slice(1)) : 100;
}

export function table(results: Result[]): string {
  const rows = [
    ['', 'what', 'ours', 'reference', 'unit', 'ratio', 'target', ''],
    ...results.map((result) => [
      result.id,
      result.what,
      show(result.ours),
      `${show(result.reference)} (${result.referenceName})`,
      result.unit,
      result.ratio.toFixed(2),
      targetOf(result),
      result.held ? 'held' : 'NOT HELD',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function targetOf({ target }: Result): string {
  return 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`;
}

/** One bar per result: the ratio relative to its target, which is the line in the middle; further right is better. */
function chart(results: Result[]): string {
  const row = 44;
  const width = 720;
  const middle = 430;
  const height = results.length * row + 50;
  const bars = results.map((result, index) => {
    const goodness =
      'least' in result.target ? result.ratio / result.target.least : result.target.most / result.ratio;
    const length = Math.min(250, Math.max(4, 110 * goodness));
    const top = 34 + index * row;
    return [
      `<text x="16" y="${top + 17}" font-weight="600">${result.id} ${result.what}</text>`,
      `<text x="16" y="${top + 32}" class="small">${show(result.ours)} against ${show(result.reference)} ${result.unit}</text>`,
      `<rect x="${middle - 110}" y="${top + 6}" width="${length}" height="18" rx="3" class="${result.held ? 'held' : 'missed'}"/>`,
      `<text x="${middle - 110 + length + 8}" y="${top + 20}" class="small">${result.ratio.toFixed(2)} (${targetOf(result)})</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Benchmark ratios">
<style>text{font:13px system-ui,sans-serif;fill:#1f2933}.small{font-size:11px;fill:#52606d}.held{fill:#2f855a}.missed{fill:#c53030}line{stroke:#829ab1;stroke-dasharray:3 3}rect.ground{fill:#fff}</style>
<rect class="ground" width="${width}" height="${height}"/>
<line x1="${middle}" x2="${middle}" y1="24" y2="${height - 12}"/><text x="${middle - 18}" y="18" class="small">target</text>
${bars.join('\n')}
</svg>
`;
}
