/** Reads the lines that a new comment is about, and refuses lines and files that don't exist. */
import { type Context, callOf } from '../../context.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import { type FoundPullRequest, isOfPullRequest } from '../pull-requests/index.ts';
import { readCommentedCode } from './read-commented-code.ts';

interface GivenPlace {
  file: string;
  side?: 'new' | 'old' | undefined;
  startLine: number;
  endLine?: number | undefined;
  commit?: string | undefined;
}

/** The commented lines as they are in the commit; numbers that don't exist there are refused. */
export async function readPlace(context: Context, pullRequest: FoundPullRequest, input: GivenPlace) {
  const { file, side = 'new', startLine } = input;
  const endLine = input.endLine ?? startLine;
  if (endLine < startLine)
    throw invalidRequest([{ path: 'endLine', message: 'must not be before startLine' }]);
  if (startLine === 0 && endLine > 0)
    throw invalidRequest([{ path: 'endLine', message: 'must be 0 if startLine is 0, the whole file' }]);
  const commit = side === 'old' ? pullRequest.merge_base : (input.commit ?? pullRequest.head_commit);
  if (commit === null) {
    throw new Problem('repository_not_ready', 'The commits of this pull request are still being fetched.', {
      retryAfterSeconds: 5,
    });
  }
  if (side === 'new' && !(await isOfPullRequest(context, pullRequest, commit)))
    throw invalidRequest([{ path: 'commit', message: 'is not a commit of this pull request' }]);
  const { commentedCode, reading } = await readCommentedCode(
    context.code,
    pullRequest.repository_id,
    { commit, file, startLine, endLine },
    callOf(context),
  );
  if (reading.kind === 'no_path')
    throw invalidRequest([{ path: 'file', message: 'is not a file in this commit' }]);
  if (reading.kind === 'not_a_file')
    throw invalidRequest([
      { path: 'file', message: 'is a folder or submodule; comment on a file, or on the whole pull request' },
    ]);
  if (startLine > 0) {
    if (reading.kind !== 'text' || reading.totalLines === null) {
      throw invalidRequest([
        { path: 'startLine', message: 'must be 0: this file has no lines to comment on' },
      ]);
    }
    if (endLine > reading.totalLines) {
      throw invalidRequest([{ path: 'endLine', message: `is beyond the last line (${reading.totalLines})` }]);
    }
  }
  return { file, side, startLine, endLine, commit, commentedCode };
}
