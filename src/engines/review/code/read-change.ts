/** Reads what changed between the merge base and the head: files with their class and hunks, and what was left out. */

import type { ChangedLines, ChangedPath } from '../../../platform/core/ports/code-differences.ts';
import { MAX_DIFF_FILE_BYTES } from '../../git/index.ts';
import type { NotReviewed } from '../contract/code-review.ts';
import { type FileClass, fileClassOf } from './file-class.ts';
import type { ReviewCode } from './review-code.ts';

/** Files beyond it are named in the coverage and not looked at. */
export const MAX_REVIEWED_FILES = 3000;

export interface ReviewedFile extends Pick<ChangedPath, 'path' | 'oldPath' | 'change' | 'kind'> {
  fileClass: FileClass;
  /** Only hunks whose text is known. */
  hunks: ChangedLines[];
}

export interface Change {
  base: string;
  head: string;
  files: ReviewedFile[];
  notReviewed: NotReviewed[];
  /** Files beyond the limit, which are not even named. */
  moreFiles: number;
  addedLines: number;
  /** Limits the review; default: everything. */
  concerns?: Concerns;
}

export interface Concerns {
  /** Whether it can matter what became of any name in a file. */
  file(file: ReviewedFile): boolean | Promise<boolean>;
  /** Whether it matters what became of a name in such a file. */
  name(file: ReviewedFile, name: string): boolean;
  /** Whether a new line was written by someone who knew what became of such a file. */
  isKnown(file: ReviewedFile, line: { path: string; text: string }): boolean;
}

export const EVERYTHING: Concerns = { file: () => true, name: () => true, isKnown: () => true };

const NOT_TEXT: Partial<Record<ChangedPath['kind'], string>> = {
  submodule: 'a submodule',
  symlink: 'a symbolic link',
};

export async function readChange(code: ReviewCode, isExcluded: (path: string) => boolean): Promise<Change> {
  const list = await code.listChanges(MAX_REVIEWED_FILES);
  const notReviewed: NotReviewed[] = [];
  const wanted = list.files.filter((file) => {
    const reason = isExcluded(file.path) ? 'excluded by a setting' : NOT_TEXT[file.kind];
    if (reason) notReviewed.push({ path: file.path, reason });
    return !reason;
  });
  const hunks = await code.hunks(wanted.map(({ path, oldPath }) => oldPath ?? path));
  const byPath = new Map(hunks.map((file) => [file.path ?? file.oldPath, file] as const));
  const notCompared = await whyNotCompared(
    code,
    wanted.filter(({ path }) => byPath.get(path)?.isBinary),
  );
  const files = wanted.map(({ change, kind, oldPath, path }): ReviewedFile => {
    const found = byPath.get(path);
    const known = found?.hunks.filter(isWhole) ?? [];
    const why = notCompared.get(path);
    if (why) notReviewed.push({ path, reason: why });
    if (found && (found.truncated || known.length < found.hunks.length)) {
      notReviewed.push({ path, reason: 'too many changed lines; some were not looked at' });
    }
    return { path, oldPath, change, kind, fileClass: fileClassOf(path), hunks: known };
  });
  const addedLines = files.reduce((sum, file) => sum + addedIn(file), 0);
  const moreFiles = Math.max(0, list.total - list.files.length);
  return { base: code.base, head: code.head, files, notReviewed, moreFiles, addedLines };
}

/** Without its text, a hunk only says how many lines changed. */
function isWhole({ added, newLines, oldLines, removed }: ChangedLines): boolean {
  return added.length === newLines && removed.length === oldLines;
}

function addedIn({ hunks }: ReviewedFile): number {
  return hunks.reduce((sum, hunk) => sum + hunk.newLines, 0);
}

/** Whether a line at the head came with the change, from someone who knew what became of a file. */
export function isWrittenFor(
  { concerns = EVERYTHING, files }: Change,
  changed: ReviewedFile,
  use: { path: string; line: number; text: string },
): boolean {
  return isAdded(files, use) && concerns.isKnown(changed, use);
}

/** Whether a line at the head came with the change. */
export function isAdded(files: ReviewedFile[], { line, path }: { path: string; line: number }): boolean {
  const hunks = files.find((file) => file.path === path)?.hunks ?? [];
  return hunks.some(({ newLines, newStart }) => line >= newStart && line < newStart + newLines);
}

export interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/** The lines that the change added to a file. */
export function addedLines({ hunks }: Pick<ReviewedFile, 'hunks'>): Line[] {
  return hunks.flatMap(({ added, newStart }) =>
    added.map((text, index) => ({ number: newStart + index, text })),
  );
}

/** The lines that the change removed from a file, with their numbers at the base. */
export function removedLines({ hunks }: Pick<ReviewedFile, 'hunks'>): Line[] {
  return hunks.flatMap(({ oldStart, removed }) =>
    removed.map((text, index) => ({ number: oldStart + index, text })),
  );
}

/** git doesn't compare the text of large files either; the list of changes says nothing about content. */
async function whyNotCompared(
  code: ReviewCode,
  files: readonly ChangedPath[],
): Promise<ReadonlyMap<string, string>> {
  const blobsOf = ({ newBlob, oldBlob }: ChangedPath) => [oldBlob, newBlob].filter((blob) => blob !== null);
  const sizes = await code.sizes(files.flatMap(blobsOf));
  return new Map(
    files.map((file) => {
      const isLarge = blobsOf(file).some((blob) => (sizes.get(blob) ?? 0) >= MAX_DIFF_FILE_BYTES);
      return [file.path, isLarge ? 'larger than 16 MiB' : 'binary'];
    }),
  );
}
