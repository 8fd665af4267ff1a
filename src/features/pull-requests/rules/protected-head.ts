/** Whether merges alone move a branch: then nothing is committed to it for a pull request that comes from it. */
import type { Db } from '../../../platform/db/index.ts';
import { chooseRule } from './choose-rule.ts';
import { selectDefaultBranch, selectRulesFor } from './merge-rule-store.ts';

/** Why; null if it may be committed to. A rule for all branches alike says what merges need, and protects none in particular. */
export async function protectedBecause(
  db: Db,
  repository: { organizationId: string; repositoryId: string },
  branch: string,
): Promise<string | null> {
  if ((await selectDefaultBranch(db, repository.repositoryId)) === branch)
    return `${branch} is the default branch, which only merges move.`;
  const rules = await selectRulesFor(db, repository);
  const rule = chooseRule(
    rules.filter(({ pattern }) => /[^*]/.test(pattern)),
    branch,
  );
  return rule
    ? `${branch} has a merge rule${rule.pattern === branch ? '' : ` (${rule.pattern})`}, so only merges move it.`
    : null;
}
