/** DELETE /api/v2/merge-rules/:mergeRuleId: removes a merge rule. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { DeleteMergeRuleInput, MergeRuleList } from '../contract.ts';
import { readMergeRules } from './list-merge-rules.ts';
import { removeMergeRule } from './save-merge-rule.ts';

export const deleteMergeRule = defineOperation({
  name: 'delete-merge-rule',
  group: 'Organization',
  summary: 'Delete a merge rule',
  description: 'The next rule that matches its branches applies, or the default. Returns all rules.',
  http: { method: 'DELETE', path: '/api/v2/merge-rules/:mergeRuleId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: DeleteMergeRuleInput,
  output: MergeRuleList,
  problems: ['not_found'],
  async run(context, { mergeRuleId }) {
    return inTransaction(context.db, async (db) => {
      const source = callerOf({ ...context, db });
      if (!(await removeMergeRule(db, source, ({ id }) => id === mergeRuleId)))
        throw notFound('The merge rule');
      return readMergeRules({ actor: context.actor, db });
    });
  },
});
