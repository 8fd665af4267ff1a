/** The commands that resolve the conflicts of a pull request in a clone: the base branch is merged into the head branch. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

/** Two steps: pasted at once, the conflicts would be committed as they are. */
export function resolveCommands({ baseBranch, headBranch }: Pick<PullRequest, 'baseBranch' | 'headBranch'>): {
  merge: string;
  push: string;
} {
  const head = quoted(headBranch);
  return {
    merge: [
      'git fetch origin',
      `git switch ${head}`,
      // By name: a branch that was made in this clone has no upstream.
      `git pull --ff-only origin ${head}`,
      `git merge ${quoted(`origin/${baseBranch}`)}`,
    ].join('\n'),
    push: ['git commit --all --no-edit', `git push origin ${head}`].join('\n'),
  };
}

/** Branches can have names that a shell would read as something else. */
function quoted(name: string): string {
  return /^[\w./@+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
