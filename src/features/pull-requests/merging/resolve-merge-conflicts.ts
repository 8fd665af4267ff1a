/** POST /api/v2/pull-requests/:pullRequestId/resolve-conflicts: merges the base branch into the head branch as the caller resolved it. */
import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { type FieldError, invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import type { FileResolution } from '../../../platform/core/ports/code-writer.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import { ResolveMergeConflictsInput, UpdatedBranch } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { notPushed, pushToHead, requireUpdatable } from './push-to-head.ts';

/** A line of equals signs alone can be a heading. */
const MARKER = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/m;

export const resolveMergeConflicts = defineOperation({
  name: 'resolve-merge-conflicts',
  group: 'Pull requests',
  summary: 'Resolve the conflicts',
  description:
    'Merges the base branch into the head branch with the conflicts as they are resolved here, as a commit of the caller, who then can’t approve the pull request. Nothing but the conflicting places can be changed, all of them must be resolved, and nothing is written if either branch has moved.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/resolve-conflicts', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ResolveMergeConflictsInput,
  output: UpdatedBranch,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { base, files, head, pullRequestId }) {
    const found = await findPullRequest(context, pullRequestId);
    const resolutions = readResolutions(files);
    const seen = { head, base };
    await requireUpdatable(context, found, seen);
    const message = `Merge branch '${found.base_branch}' into ${found.head_branch}`;
    const change = { kind: 'resolve' as const, on: head, other: base, files: resolutions, message };
    const outcome = await pushToHead(context, found, { change, seen });
    if (outcome.kind === 'conflicts')
      throw new Problem(
        'conflict',
        outcome.paths.length === 0
          ? 'Nothing conflicts. Update the branch instead.'
          : `Not all conflicts are resolved, or something else is: ${outcome.paths.join(', ')}. Look at them again.`,
      );
    if (outcome.kind !== 'pushed') throw notPushed(outcome, found);
    return { commit: outcome.made.commit };
  },
});

/** Every problem is named at once. */
function readResolutions(files: z.output<typeof ResolveMergeConflictsInput>['files']): FileResolution[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  const resolutions = files.map(({ hunks, path }, file) => {
    const bytes = readPath(path).toString('latin1');
    const before = seen.get(bytes);
    if (before === undefined) seen.set(bytes, file);
    else errors.push({ path: `files[${file}].path`, message: `is the same file as files[${before}]` });
    return {
      path,
      hunks: hunks.map(({ take, text }, hunk) => {
        const at = `files[${file}].hunks[${hunk}].text`;
        if (take !== 'text') return { take };
        if (text === undefined) errors.push({ path: at, message: 'is required' });
        else if (MARKER.test(text))
          errors.push({ path: at, message: `has conflict markers left, in ${path}` });
        return { text: text ?? '' };
      }),
    };
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return resolutions;
}
