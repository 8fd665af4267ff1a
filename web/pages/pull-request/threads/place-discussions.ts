/** Where discussions are shown in a comparison: below a line, on a file, or nowhere in it. Pure. */

import type { Placed } from '../diff/diff-rows.ts';
import type { ChangedFile } from '../diff/diff-types.ts';
import { type Placeable, positionAt } from './discussion-place.ts';

export interface PlacedDiscussions {
  /** By path. */
  onLines: Map<string, Placed[]>;
  onFiles: Map<string, string[]>;
  /** Their file isn't in the comparison. */
  elsewhere: Placeable[];
}

export interface Compared {
  to: string;
  /** Only those whose place at this commit is known: the others are about another one. */
  isExact?: boolean;
  files: readonly Pick<ChangedFile, 'path' | 'oldPath'>[];
}

export function placeDiscussions(discussions: readonly Placeable[], compared: Compared): PlacedDiscussions {
  const placed: PlacedDiscussions = { onLines: new Map(), onFiles: new Map(), elsewhere: [] };
  const newPaths = new Map(compared.files.map(({ path }) => [path, path]));
  const oldPaths = new Map(compared.files.map(({ oldPath, path }) => [oldPath ?? path, path]));
  for (const discussion of discussions) {
    const { id, side } = discussion;
    if (compared.isExact && !positionAt(discussion, compared.to)) {
      placed.elsewhere.push(discussion);
      continue;
    }
    const { file, line } = placeAt(discussion, compared.to);
    const path =
      (side === 'old' ? oldPaths.get(file) : undefined) ?? newPaths.get(file) ?? oldPaths.get(file);
    if (path === undefined) placed.elsewhere.push(discussion);
    else if (line === undefined) placed.onFiles.set(path, [...(placed.onFiles.get(path) ?? []), id]);
    else placed.onLines.set(path, [...(placed.onLines.get(path) ?? []), { id, side, line }]);
  }
  return placed;
}

/** Its last line at a commit; undefined for the whole file, and where its code isn't there. */
function placeAt(discussion: Placeable, commit: string): { file: string; line: number | undefined } {
  const position = positionAt(discussion, commit);
  if (!position) return { file: discussion.file, line: undefined };
  const { endLine, file, outcome } = position;
  return { file, line: outcome === 'gone' || endLine === 0 ? undefined : endLine };
}

/** In the order of the page: by file, then by line. */
export function inOrder(
  discussions: readonly Pick<Placeable, 'id'>[],
  { onFiles, onLines }: PlacedDiscussions,
  files: readonly Pick<ChangedFile, 'path'>[],
): { id: string; path: string }[] {
  const shown = new Set(discussions.map(({ id }) => id));
  return files.flatMap(({ path }) =>
    [
      ...(onFiles.get(path) ?? []),
      ...(onLines.get(path) ?? []).toSorted((one, other) => one.line - other.line).map(({ id }) => id),
    ]
      .filter((id) => shown.has(id))
      .map((id) => ({ id, path })),
  );
}
