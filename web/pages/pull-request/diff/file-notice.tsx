/** A notice in place of a file's lines, or after the last of them. */

import type { Notice } from './file-rows.ts';
import { CELL } from './table-roles.ts';

const TEXTS: Record<Notice, string> = {
  binary: 'Binary file. Its contents can’t be shown.',
  submodule:
    'A submodule now points to another commit. Its files are in another repository, so it takes no comments; use the conversation.',
  symlink: 'The target of a symbolic link changed.',
  too_large: 'This file is too large to show.',
  renamed: 'Renamed without changes.',
  empty: 'Empty file.',
  whitespace: 'Only whitespace changed.',
  mode: 'Only the file mode changed.',
  truncated: 'The rest of this file is too large to show.',
};

export function FileNotice({ notice }: { notice: Notice }) {
  return (
    <span {...CELL} className="block px-4 py-5 text-center text-sm text-quiet">
      {TEXTS[notice]}
    </span>
  );
}
