/** The commands that resolve the conflicts of a pull request in a clone: the base branch is merged into the head branch. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

/** Two steps: pasted at once, the conflicts would be committed as they are. */
export function resolveCommands({ baseBranch, headBranch }: Pick<PullRequest, 'baseBranch' | 'headBranch'>): {
  merge: string;
  push: string;
} {
  // By full name, so that git takes no name for an option or another branch, and for a branch without an upstream in the clone.
  const head = quoted(`refs/heads/${headBranch}`);
  const isUnusual = UNUSUAL.test(headBranch);
  return {
    merge: [
      'git fetch origin',
      isUnusual
        ? `git switch --detach ${quoted(`refs/remotes/origin/${headBranch}`)}`
        : `git switch ${quoted(headBranch)}`,
      ...(isUnusual ? [] : [`git pull --ff-only origin ${head}`]),
      `git merge ${quoted(`origin/${baseBranch}`)}`,
    ].join('\n'),
    push: ['git commit --all --no-edit', `git push origin ${quoted(`HEAD:refs/heads/${headBranch}`)}`].join(
      '\n',
    ),
  };
}

/** A server can have branches with these names, but git makes none in a clone, or would switch to something else. */
const UNUSUAL = /^(?:-|refs\/|@$|HEAD$)/;

/** Branches can have names that a shell would read as something else. */
function quoted(name: string): string {
  return /^[\w./:@+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
