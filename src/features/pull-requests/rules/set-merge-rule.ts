/** PUT /api/v2/merge-rules: sets the merge rule of a branch pattern in one repository or in all. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { selectRepositoriesById } from '../../repositories/index.ts';
import { MergeRuleList, SetMergeRuleInput } from '../contract.ts';
import { readMergeRules } from './list-merge-rules.ts';
import { saveMergeRule } from './save-merge-rule.ts';

export const setMergeRule = defineOperation({
  name: 'set-merge-rule',
  group: 'Organization',
  summary: 'Set a merge rule',
  description:
    'Replaces the rule with the same repository and pattern as a whole: what is left out is as without a rule. Returns all rules.',
  http: { method: 'PUT', path: '/api/v2/merge-rules', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: SetMergeRuleInput,
  output: MergeRuleList,
  problems: ['not_found'],
  async run(context, input) {
    return inTransaction(context.db, async (db) => {
      const { actor } = context;
      const [repository = null] = input.repositoryId
        ? await selectRepositoriesById(db, actor, [input.repositoryId])
        : [];
      if (input.repositoryId && !repository) throw notFound('The repository');
      await saveMergeRule(db, callerOf({ ...context, db }), repository, input);
      return readMergeRules({ actor, db });
    });
  },
});
