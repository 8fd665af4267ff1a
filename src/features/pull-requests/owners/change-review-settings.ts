/** PATCH /api/v2/repositories/:repositoryId/review-settings: changes whom a repository asks for reviews. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest, notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { selectRepository } from '../../repositories/index.ts';
import { selectTeamNames } from '../../teams/index.ts';
import { ChangeReviewSettingsInput, ReviewSettings } from '../contract.ts';
import { selectPossibleReviewers } from '../store/review-store.ts';
import { readReviewSettings } from './read-review-settings.ts';
import { holdReviewSettings, selectReviewSettings, upsertReviewSettings } from './review-settings-store.ts';

export const changeReviewSettings = defineOperation({
  name: 'change-review-settings',
  group: 'Pull requests',
  summary: 'Change whom a repository asks for reviews',
  http: { method: 'PATCH', path: '/api/v2/repositories/:repositoryId/review-settings', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeReviewSettingsInput,
  output: ReviewSettings,
  problems: ['not_found'],
  async run(context, { askOwners, repositoryId, reviewerIds, teamIds }) {
    const { actor, db } = context;
    const { organizationId } = actor;
    const repository = await selectRepository(db, actor, repositoryId);
    if (!repository) throw notFound('The repository');
    return inTransaction(db, async (transaction) => {
      await holdReviewSettings(transaction, repositoryId);
      const people = await selectPossibleReviewers(transaction, repositoryId, reviewerIds ?? []);
      const teams = await selectTeamNames(transaction, organizationId, teamIds ?? []);
      const errors = [
        ...(reviewerIds ?? []).flatMap((id, index) =>
          people.has(id)
            ? []
            : [
                {
                  path: `reviewerIds[${index}]`,
                  message: 'is not an active member who can see the repository',
                },
              ],
        ),
        ...(teamIds ?? []).flatMap((id, index) =>
          teams.has(id) ? [] : [{ path: `teamIds[${index}]`, message: 'is not a team' }],
        ),
      ];
      if (errors.length > 0) throw invalidRequest(errors);
      const before = await selectReviewSettings(transaction, repositoryId);
      const after = {
        ask_owners: askOwners ?? before.ask_owners,
        user_ids: reviewerIds ? [...new Set(reviewerIds)] : before.user_ids,
        team_ids: teamIds ? [...new Set(teamIds)] : before.team_ids,
      };
      const { is_plain_git: _, ...known } = before;
      if (JSON.stringify(known) !== JSON.stringify(after)) {
        await upsertReviewSettings(transaction, { id: repositoryId, organizationId }, after);
        await recordAudit(transaction, callerOf(context), {
          action: 'repository.review_settings_changed',
          subjectId: repositoryId,
          subjectName: repository.name,
          detail: {
            ...(askOwners !== undefined && { askOwners }),
            ...(reviewerIds && { reviewerIds }),
            ...(teamIds && { teamIds }),
          },
        });
      }
      return readReviewSettings(transaction, organizationId, repositoryId);
    });
  },
});
