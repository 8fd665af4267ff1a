/** Where a comment stands in a merge request's diff, in GitLab's terms. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type DiffLines, readHunks } from '../diff-lines.ts';
import type { NewThread } from '../port.ts';
import type { versionDetailsShape } from './shapes.ts';

type Version = z.output<typeof versionDetailsShape>;

/** Undefined if the diff doesn't show these lines. Unchanged lines need their numbers on both sides. */
export function linePosition(version: Version, comment: NewThread): Record<string, unknown> | undefined {
  const found = version.diffs.find((one) => one[`${comment.side}_path`] === comment.file);
  if (!found || comment.endLine === 0) return undefined;
  const lines = readHunks(found.diff);
  const end = lineOf(lines, comment.side, comment.endLine);
  const start = lineOf(lines, comment.side, comment.startLine);
  if (!end || !start) return undefined;
  const range = { start: rangeEnd(found.new_path, start), end: rangeEnd(found.new_path, end) };
  return {
    ...common(version, found),
    position_type: 'text',
    ...numbers(end),
    ...(comment.startLine === comment.endLine ? {} : { line_range: range }),
  };
}

/** Undefined if the file is not part of the diff. */
export function filePosition(version: Version, comment: NewThread): Record<string, unknown> | undefined {
  const found = version.diffs.find((one) => one[`${comment.side}_path`] === comment.file);
  return found && { ...common(version, found), position_type: 'file' };
}

function common(version: Version, { new_path, old_path }: Version['diffs'][number]) {
  return {
    base_sha: version.base_commit_sha,
    start_sha: version.start_commit_sha,
    head_sha: version.head_commit_sha,
    old_path,
    new_path,
  };
}

/** A number is null where the line doesn't exist on that side. */
interface Line {
  old: number | null;
  new: number | null;
}

function lineOf(lines: DiffLines, side: 'new' | 'old', number: number): Line | undefined {
  const other = lines[side].get(number);
  if (other === undefined) return undefined;
  return side === 'new' ? { new: number, old: other } : { old: number, new: other };
}

function numbers(line: Line) {
  return {
    ...(line.new === null ? {} : { new_line: line.new }),
    ...(line.old === null ? {} : { old_line: line.old }),
  };
}

function rangeEnd(path: string, line: Line) {
  const file = createHash('sha1').update(path).digest('hex');
  return {
    line_code: `${file}_${line.old ?? 0}_${line.new ?? 0}`,
    type: line.old === null ? 'new' : 'old',
    ...numbers(line),
  };
}
