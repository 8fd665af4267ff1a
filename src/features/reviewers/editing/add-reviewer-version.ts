/** POST /api/v2/reviewers/:reviewerId/versions: changes a custom reviewer by adding a version, which becomes the active one. */
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { type Reader, selectRepositoriesById } from '../../repositories/index.ts';
import { AddReviewerVersionInput, type ReviewerContent, ReviewerDetail } from '../contract.ts';
import { type LockedReviewer, selectAllScopes } from '../store/reviewer-store.ts';
import { acceptContent } from './accept-content.ts';
import { editReviewer } from './edit-reviewer.ts';
import { readReviewer } from './read-reviewer.ts';
import { saveVersion } from './save-reviewer.ts';

export const addReviewerVersion = defineOperation({
  name: 'add-reviewer-version',
  group: 'Reviewers',
  summary: 'Change a reviewer',
  description:
    'Adds a version and activates it, unless `activate` is false; earlier versions are kept. Scopes in repositories that you can’t see are kept too.',
  http: { method: 'POST', path: '/api/v2/reviewers/:reviewerId/versions', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: AddReviewerVersionInput,
  output: ReviewerDetail,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { activate = true, baseVersion, reviewerId, ...input }) {
    const { actor } = context;
    const content = await acceptContent(context.db, actor, input);
    await editReviewer(context, reviewerId, async (db, reviewer) => {
      if (baseVersion !== undefined && baseVersion !== reviewer.newest_version) {
        throw new Problem(
          'conflict',
          `Someone saved version ${reviewer.newest_version} in the meantime. Nothing was saved.`,
        );
      }
      const hidden = await hiddenScopes(db, actor, reviewer);
      const scopes = [...content.scopes, ...hidden];
      await saveVersion(db, callerOf(context), reviewer, { ...content, scopes }, { activate });
    });
    return readReviewer(context, reviewerId);
  },
});

/** The editor couldn't have meant to remove what they don't see. */
async function hiddenScopes(
  db: Db,
  reader: Reader,
  reviewer: LockedReviewer,
): Promise<ReviewerContent['scopes']> {
  const rows = await selectAllScopes(db, reviewer.id, reviewer.active_version);
  const ids = rows.flatMap((row) => row.repository_id ?? []);
  const visible = new Set((await selectRepositoriesById(db, reader, ids)).map(({ id }) => id));
  return rows
    .filter((row) => row.repository_id !== null && !visible.has(row.repository_id))
    .map((row) => ({ repositoryId: row.repository_id, paths: row.paths }));
}
