/** Replaces lines of one file by suggestions. Pure. */

export interface LineEdit {
  /** Names the suggestion in problems. */
  id: string;
  /** From 1, at the commit that is edited. */
  startLine: number;
  endLine: number;
  /** As they were commented on, without line breaks. */
  before: string[];
  after: string[];
}

export type Edited =
  | { kind: 'edited'; text: string }
  /** The lines are no longer what was commented on. */
  | { kind: 'outdated'; ids: string[] }
  /** Two of them replace the same lines. */
  | { kind: 'overlap'; ids: string[] };

export function editLines(text: string, edits: readonly LineEdit[]): Edited {
  const lines = text.split('\n');
  const sorted = edits.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const outdated = sorted.filter(({ before, endLine, startLine }) => {
    const now = lines.slice(startLine - 1, endLine);
    return now.length !== before.length || now.some((line, index) => line !== before[index]);
  });
  if (outdated.length > 0) return { kind: 'outdated', ids: outdated.map(({ id }) => id) };
  const overlapping = sorted.flatMap((edit, index) => {
    const next = sorted[index + 1];
    return next && next.startLine <= edit.endLine ? [edit.id, next.id] : [];
  });
  if (overlapping.length > 0) return { kind: 'overlap', ids: [...new Set(overlapping)] };
  // From the end, so that earlier lines keep their numbers.
  for (const { after, endLine, startLine } of sorted.toReversed()) {
    const ending = lines[startLine - 1]!.endsWith('\r') ? '\r' : '';
    lines.splice(startLine - 1, endLine - startLine + 1, ...after.map((line) => `${line}${ending}`));
  }
  return { kind: 'edited', text: lines.join('\n') };
}
