/** Lines as they are named on cards. Pure. */
import type { NamedLines } from './discussion-place.ts';

export function linesText({ endLine, startLine }: Pick<NamedLines, 'endLine' | 'startLine'>): string {
  if (endLine === 0) return 'Whole file';
  return startLine === endLine ? `Line ${endLine}` : `Lines ${startLine}–${endLine}`;
}
