/** GET /api/v2/reviewer/reviewers (endpoint 2): built-in and custom reviewers. */
import { defineOperation } from '../../../context.ts';
import { usesModel } from '../../models/index.ts';
import { findNamedRepository } from '../../repositories/index.ts';
import { ListReviewersInput, ReviewerList } from '../contract.ts';
import { selectNewestDiscussions, selectReviewers, selectScopes } from '../store/reviewer-list-store.ts';
import { presentReviewer } from './present-reviewer.ts';

export const listReviewers = defineOperation({
  name: 'list-reviewers',
  group: 'Reviewers',
  summary: 'List reviewers',
  description: 'Built-in and custom reviewers. Reviewers that live in files of a repository are not listed.',
  http: { method: 'GET', path: '/api/v2/reviewer/reviewers', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'viewer',
  input: ListReviewersInput,
  output: ReviewerList,
  problems: ['ambiguous_repository', 'not_found'],
  example: {
    request: { enabled: 'true', repoName: 'acme/api' },
    reply: {
      reviewers: [
        {
          id: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e10',
          title: 'No raw SQL',
          description: 'Queries go through the query builder.',
          enabled: true,
          needsModel: false,
          activeVersion: 3,
          scopes: [
            { repoId: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e11', repoName: 'acme/api', paths: ['src/**/*.ts'] },
          ],
          discussions: [
            {
              id: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e12',
              repoName: 'acme/api',
              prNumber: 418,
              file: 'src/orders.ts',
              startLine: 42,
              status: 'addressed',
              createdAt: '2026-11-02T09:30:00.000Z',
            },
          ],
          canEdit: true,
          createdAt: '2026-10-01T08:00:00.000Z',
          updatedAt: '2026-11-01T10:15:00.000Z',
        },
      ],
    },
  },
  async run(context, { enabled, repoName }) {
    const { actor, db, settings } = context;
    const repository = repoName === undefined ? undefined : await findNamedRepository(context, repoName);
    const rows = await selectReviewers(db, actor.organizationId, {
      enabled: enabled === undefined ? undefined : /^(true|1)$/i.test(enabled),
      repositoryId: repository?.id,
    });
    const versions = rows.map((row) => ({ id: row.id, version: row.active_version }));
    const [scopes, discussions, hasModel] = await Promise.all([
      selectScopes(db, actor, versions),
      selectNewestDiscussions(
        db,
        actor,
        rows.map(({ id }) => id),
      ),
      usesModel({ db, models: settings.models }, actor.organizationId),
    ]);
    const scopesOf = Map.groupBy(scopes, (row) => row.reviewer_id);
    const discussionsOf = Map.groupBy(discussions, (row) => row.reviewer_id);
    return {
      reviewers: rows.map((row) =>
        presentReviewer(
          row,
          { scopes: scopesOf.get(row.id) ?? [], discussions: discussionsOf.get(row.id) ?? [], hasModel },
          actor,
        ),
      ),
    };
  },
});
