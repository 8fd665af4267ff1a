/** GET /api/v2/repositories/:repositoryId/review-settings: whom a repository asks for reviews of its pull requests. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { selectRepository } from '../../repositories/index.ts';
import { GetReviewSettingsInput, ReviewSettings } from '../contract.ts';
import { readReviewSettings } from './read-review-settings.ts';

export const getReviewSettings = defineOperation({
  name: 'get-review-settings',
  group: 'Pull requests',
  summary: 'Get whom a repository asks for reviews',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/review-settings', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewSettingsInput,
  output: ReviewSettings,
  problems: ['not_found'],
  async run({ actor, db }, { repositoryId }) {
    if (!(await selectRepository(db, actor, repositoryId))) throw notFound('The repository');
    return readReviewSettings(db, actor.organizationId, repositoryId);
  },
});
