/** GET /api/v2/pull-request-labels: the labels that were used lately, to choose from. */
import { defineOperation } from '../../../context.ts';
import { LabelList, ListLabelsInput } from '../contract.ts';
import { selectLabels } from '../store/label-store.ts';

export const listLabels = defineOperation({
  name: 'list-labels',
  group: 'Pull requests',
  summary: 'List labels',
  description: 'Those of pull requests in the repositories that you can see, or in one of them.',
  http: { method: 'GET', path: '/api/v2/pull-request-labels', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListLabelsInput,
  output: LabelList,
  problems: [],
  async run({ actor, db }, { repositoryId }) {
    return { labels: await selectLabels(db, actor, repositoryId) };
  },
});
