/** The commands that resolve the conflicts of a pull request in a clone: the base branch is merged into the head branch. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

/** Two steps: pasted at once, the conflicts would be committed as they are. */
export function resolveCommands(pullRequest: Pick<PullRequest, 'baseBranch' | 'conflicts' | 'headBranch'>): {
  merge: string;
  push: string;
  /** Says how to get ready for the push. */
  first: string;
} {
  const { baseBranch, conflicts, headBranch } = pullRequest;
  // Git leaves one side of a deleted or renamed file in the working tree: committing everything would take it without a decision.
  const areMarked = conflicts?.files.length === conflicts?.total && conflicts?.files.every(isMarked);
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
    first: areMarked
      ? 'Once every conflict is resolved in the files'
      : 'Once every file is staged: git add takes it as it is in your tree, git rm deletes it',
    push: [
      areMarked ? 'git commit --all --no-edit' : 'git commit --no-edit',
      `git push origin ${quoted(`HEAD:refs/heads/${headBranch}`)}`,
    ].join('\n'),
  };
}

/** Whether git marks both sides in the file. */
export function isMarked({ kind }: { kind: string }): boolean {
  return kind === 'content' || kind === 'added_on_both';
}

/** A server can have branches with these names, but git makes none in a clone, or would switch to something else. */
const UNUSUAL = /^(?:-|refs\/|@$|HEAD$)/;

/** Branches can have names that a shell would read as something else. */
function quoted(name: string): string {
  return /^[\w./:@+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
