/** GET /api/v2/merge-rules: what pull requests need before they can be merged. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import { ListMergeRulesInput, MergeRuleList } from '../contract.ts';
import { selectMergeRules, selectNamesOf, termsOf } from './merge-rule-store.ts';
import { presentMergeRules } from './present-merge-rule.ts';

export const listMergeRules = defineOperation({
  name: 'list-merge-rules',
  group: 'Organization',
  summary: 'List merge rules',
  description:
    'Without a matching rule, a pull request needs one approval of its present head, by a person who didn’t open, write, commit or push any of it.',
  http: { method: 'GET', path: '/api/v2/merge-rules', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListMergeRulesInput,
  output: MergeRuleList,
  problems: [],
  run: (context) => readMergeRules(context),
});

export async function readMergeRules({
  actor,
  db,
}: Pick<Context, 'actor' | 'db'>): Promise<z.input<typeof MergeRuleList>> {
  const { organizationId } = actor;
  const rows = await selectMergeRules(db, organizationId, actor);
  const userIds = rows
    .map(termsOf)
    .flatMap(({ mergeUserIds, statuses }) => [
      ...mergeUserIds,
      ...statuses.flatMap((status) => status.userIds),
    ]);
  return { rules: presentMergeRules(rows, await selectNamesOf(db, organizationId, userIds)) };
}
