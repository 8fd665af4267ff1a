/** A notice in place of a file's lines, or after the last of them. */
import { formatBytes } from '../../../parts/fields/format-amounts.ts';
import type { ChangedFile } from './diff-types.ts';
import type { Notice } from './file-rows.ts';
import { CELL } from './table-roles.ts';

const TEXTS: Record<Notice, string> = {
  binary: 'Binary file',
  too_large: 'This file is too large to show',
  renamed: 'Renamed without changes.',
  empty: 'Empty file.',
  whitespace: 'Only whitespace changed.',
  mode: 'Only the file mode changed.',
  truncated: 'The rest of this file is too large to show.',
};

export function FileNotice({ file, notice }: { file: ChangedFile; notice: Notice }) {
  const sizes = notice === 'binary' || notice === 'too_large' ? sizesOf(file) : undefined;
  return (
    <span {...CELL} className="block px-4 py-5 text-center text-sm text-quiet">
      {TEXTS[notice]}
      {sizes && `, ${sizes}`}
    </span>
  );
}

function sizesOf({ newBytes, oldBytes }: ChangedFile): string {
  return [oldBytes, newBytes]
    .filter((bytes) => typeof bytes === 'number')
    .map(formatBytes)
    .join(' → ');
}
