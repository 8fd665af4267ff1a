/** The file and lines of a request for history. */
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import { acceptPath } from './accept-path.ts';

export function acceptFile(given: string): string {
  const path = acceptPath(given);
  if (path === '') throw invalidRequest([{ path: 'path', message: 'must be a file' }]);
  return path;
}

/** Null for the whole file. */
export function linesOf({
  endLine,
  startLine,
}: {
  startLine?: number | undefined;
  endLine?: number | undefined;
}): { from: number; to: number } | null {
  if (startLine === undefined && endLine === undefined) return null;
  const from = startLine ?? 1;
  const to = endLine ?? from;
  if (to < from) throw invalidRequest([{ path: 'endLine', message: 'must not be before `startLine`' }]);
  return { from, to };
}

export function noFile(path: string): Problem {
  return new Problem('not_found', `${path} isn't a file at this commit.`);
}
