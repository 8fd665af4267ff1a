/** Finds which of the given paths differ between two commits: changed, deleted or added. */

import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import type { CommitFiles } from './commit-files.ts';
import { findRange, idOf, MissingObject } from './commit-files.ts';
import type { RepositoryReader } from './repository-reader.ts';

export async function changedFiles(
  reader: RepositoryReader,
  query: CodeRequests['changedFiles']['params'],
): Promise<CodeRequests['changedFiles']['result']> {
  try {
    const [before, after] = [await reader.filesOf(query.from), await reader.filesOf(query.to)];
    return query.paths.filter((text) => {
      const path = readPath(text);
      return contentAt(before, path) !== contentAt(after, path);
    });
  } catch (error) {
    if (error instanceof MissingObject) return null;
    throw error;
  }
}

/** The id of a file, or of a folder's tree. */
function contentAt(files: CommitFiles, path: Buffer): string {
  const range = findRange(files, path);
  if (!range) return '';
  if (range.to - range.from === 1) return idOf(files, range.from);
  const [idStart, idEnd] = [range.from * files.idBytes, range.to * files.idBytes];
  const [pathStart, pathEnd] = [files.pathOffsets[range.from]!, files.pathOffsets[range.to]!];
  return `${files.ids.toString('latin1', idStart, idEnd)} ${files.paths.toString('latin1', pathStart, pathEnd)}`;
}
