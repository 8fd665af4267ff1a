/** Reads which lines changed in many files at once, without context, for following places from one commit to another. */
import type { ChangedLines, FileHunks } from '../../../platform/core/ports/code-differences.ts';
import { readGitPath, showPath } from '../../../platform/core/text/path-text.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { DIFF_CONFIGURATION, DIFF_OPTIONS } from './diff-options.ts';
import type { CommitPair } from './history.ts';
import { createPatchReader } from './patch-lines.ts';
import { asPathspecs } from './pathspec.ts';
import { renameOptions } from './rename-options.ts';

/** For the files that were asked for, and for all others together: those only serve to find code that moved. */
const MAX_HUNKS = 100_000;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 4 * 1024;

interface Room {
  hunks: number;
  bytes: number;
}

/** All files that changed. Of files other than `paths` (at `from`), only hunks with added lines. */
export async function readHunks({
  from,
  paths,
  onlyPaths,
  renames,
  to,
  ...options
}: CommitPair & {
  paths: string[];
  /** Compares only these, which are the paths at both commits; all files if they are too many for git's arguments. */
  onlyPaths?: string[] | undefined;
  /** The result of `renameOptions`, if it is known already. */
  renames?: string[];
}): Promise<FileHunks[]> {
  const wanted = new Set(paths);
  const found = renames ?? (await renameOptions({ from, to, ...options }, onlyPaths));
  const args = ['diff', '-p', '-U0', '--full-index', ...DIFF_OPTIONS, ...found];
  const output = readOutput([...args, '--end-of-options', from, to, '--', ...asPathspecs(onlyPaths)], {
    ...options,
    configuration: DIFF_CONFIGURATION,
  });
  const read = createPatchReader();
  const files: FileHunks[] = [];
  const rooms = { wanted: fullRoom(), others: fullRoom() };
  let file: FileHunks | undefined;
  let hunk: ChangedLines | undefined;
  for await (const line of splitOutput(output, 10, MAX_LINE_BYTES)) {
    const found = read(line);
    if (found.kind === 'header') {
      hunk = undefined;
      if (found.text.startsWith('diff --git ')) {
        file = startFile(found.text);
        files.push(file);
      } else readHeader(file!, found.text);
    } else if (found.kind === 'hunk') {
      const isWanted = file!.oldPath !== null && wanted.has(file!.oldPath);
      const room = isWanted ? rooms.wanted : rooms.others;
      const { heading: _, ...range } = found.hunk;
      hunk = { ...range, removed: [], added: [] };
      if (!isWanted && range.newLines === 0) continue;
      room.hunks -= 1;
      if (room.hunks >= 0) file!.hunks.push(hunk);
      else file!.truncated = true;
    } else if (hunk && (found.kind === 'removed' || found.kind === 'added')) {
      const isWanted = file!.oldPath !== null && wanted.has(file!.oldPath);
      const room = isWanted ? rooms.wanted : rooms.others;
      room.bytes -= found.content.length;
      if (room.bytes >= 0) hunk[found.kind].push(found.content.toString('utf8', 1));
    }
  }
  for (const each of files) for (const changed of each.hunks) dropPartialText(changed);
  return files;
}

const fullRoom = (): Room => ({ hunks: MAX_HUNKS, bytes: MAX_TEXT_BYTES });

/** Text that is there in part would be mistaken for all of it. */
function dropPartialText(hunk: ChangedLines): void {
  if (hunk.removed.length < hunk.oldLines) hunk.removed = [];
  if (hunk.added.length < hunk.newLines) hunk.added = [];
}

/** `diff --git a/x b/x`: the paths are the same unless other headers say otherwise. */
function startFile(text: string): FileHunks {
  const names = text.slice('diff --git '.length);
  const quoted = /^("(?:[^"\\]|\\.)*") /.exec(names)?.[1];
  const path = withoutPrefix(quoted ?? names.slice(0, (names.length - 1) / 2));
  return { oldPath: path, path, isBinary: false, hunks: [], truncated: false };
}

function readHeader(file: FileHunks, text: string): void {
  if (text.startsWith('new file mode ')) file.oldPath = null;
  else if (text.startsWith('deleted file mode ')) file.path = null;
  else if (text.startsWith('rename from ')) file.oldPath = show(text.slice('rename from '.length));
  else if (text.startsWith('rename to ')) file.path = show(text.slice('rename to '.length));
  else if (text.startsWith('Binary files ')) file.isBinary = true;
}

/** Without `a/`, which is inside the quotes. */
function withoutPrefix(name: string): string {
  return show(name.startsWith('"') ? `"${name.slice(3)}` : name.slice(2));
}

function show(name: string): string {
  return showPath(readGitPath(name));
}
