/**
 * How renames are found between two commits. git reads both files of every pair that might be one, whatever their size: an edited
 * rename of a 300 MB file took it 1.5 GB. So when large files were both added and deleted, only identical ones count.
 */

import { readOutput, splitOutput } from '../run/read-output.ts';
import { runGit } from '../run/run-git.ts';
import { MAX_DIFF_FILE_BYTES } from './diff-options.ts';
import type { CommitPair } from './history.ts';
import { asPathspecs } from './pathspec.ts';

/** git compares at most this many added with as many deleted files. */
const RENAME_LIMIT = 1000;
const SIMILAR = ['-M50%', `-l${RENAME_LIMIT}`];
const IDENTICAL = ['-M100%'];
/** With more files added and deleted, their sizes aren't looked up. */
const MAX_CANDIDATES = 20_000;
const MAX_FIELD_BYTES = 200;

/** With `onlyPaths`, only these are compared. */
export async function renameOptions(
  { from, to, ...options }: CommitPair,
  onlyPaths?: readonly string[],
): Promise<string[]> {
  const args = ['diff', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AD'];
  const added: string[] = [];
  const deleted: string[] = [];
  const output = readOutput(
    [...args, '--end-of-options', from, to, '--', ...asPathspecs(onlyPaths)],
    options,
  );
  for await (const field of splitOutput(output, 0, MAX_FIELD_BYTES)) {
    // `:000000 100644 <none> <blob> A`; a path that begins like this can only be an odd name.
    const match = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) ([AD])$/.exec(field.toString('latin1'));
    if (!match) continue;
    if (match[3] === 'A') added.push(match[2]!);
    else deleted.push(match[1]!);
    if (added.length + deleted.length > MAX_CANDIDATES) return IDENTICAL;
  }
  if (added.length === 0 || deleted.length === 0) return SIMILAR;
  const { stdout } = await runGit(['cat-file', '--batch-check=%(objectsize)', '--buffer'], {
    ...options,
    input: [...added, ...deleted].map((id) => `${id}\n`).join(''),
  });
  const isLarge = stdout
    .toString('latin1')
    .split('\n')
    .map((size) => Number(size) >= MAX_DIFF_FILE_BYTES);
  const both = isLarge.indexOf(true) < added.length && isLarge.lastIndexOf(true) >= added.length;
  return both && isLarge.includes(true) ? IDENTICAL : SIMILAR;
}
