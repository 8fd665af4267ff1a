/** POST /api/v2/pushes/check: whether a push moves branches with a merge rule only as merges here do, for a hook on the git server. */
import { defineOperation } from '../../../context.ts';
import { findNamedRepository } from '../../repositories/index.ts';
import { CheckedPush, CheckPushInput } from '../contract.ts';
import { chooseRule } from '../rules/choose-rule.ts';
import { selectRulesFor } from '../rules/merge-rule-store.ts';
import { selectMergesTo } from '../store/merge-store.ts';
import { selectOwnPushes } from '../store/own-push-store.ts';
import { selectSuggestionCommits } from '../store/suggestion-commit-store.ts';

/** As git writes a branch that doesn't exist. */
const ZEROS = /^0+$/;

export const checkPush = defineOperation({
  name: 'check-push',
  group: 'Pull requests',
  summary: 'Check a push',
  description:
    'For a `pre-receive` hook on the git server: a branch with a merge rule may only move to a commit that a merge here made from exactly where it is, or as another push from here does: suggestions, an updated, reverting, deleted or restored branch. Our own push is found because it is recorded before it is sent. A key calls the tool `check_push`.',
  http: { method: 'POST', path: '/api/v2/pushes/check', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: CheckPushInput,
  output: CheckedPush,
  problems: ['not_found', 'ambiguous_repository'],
  async run(context, { repository, updates }) {
    const { actor, db } = context;
    const { id: repositoryId } = await findNamedRepository(context, repository);
    const rules = await selectRulesFor(db, { organizationId: actor.organizationId, repositoryId });
    const bound = updates.flatMap((update) => {
      const rule = chooseRule(rules, update.branch);
      return rule ? [{ ...update, pattern: rule.pattern }] : [];
    });
    if (bound.length === 0) return { refused: [] };
    const heads = bound.map(({ to }) => to);
    const branches = bound.map(({ branch }) => branch);
    const made = [
      ...(await selectMergesTo(db, repositoryId, heads)).map((merge) => ({
        ...{ branch: merge.base_branch, from: merge.base_commit, to: merge.merge_commit },
      })),
      // Suggestions are applied only to branches that no rule names; a rule for all branches alike binds these too.
      ...(await selectSuggestionCommits(db, repositoryId, heads)).map((commit) => ({
        ...{ branch: commit.branch, from: commit.from_commit, to: commit.commit },
      })),
      ...(await selectOwnPushes(db, repositoryId, branches)).map((push) => ({
        ...{ branch: push.branch, from: push.from_commit, to: push.to_commit },
      })),
    ];
    const isSame = (commit: string, own: string | null) =>
      own === null ? ZEROS.test(commit) : commit === own;
    const isOurs = ({ branch, from, to }: (typeof bound)[number]) =>
      made.some((own) => own.branch === branch && isSame(from, own.from) && isSame(to, own.to));
    const refused = bound.filter((update) => !isOurs(update));
    return { refused: refused.map(({ branch, pattern }) => ({ branch, pattern })) };
  },
});
