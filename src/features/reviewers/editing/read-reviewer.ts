/** One reviewer as the caller sees it. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { usesModel } from '../../models/index.ts';
import { selectFindings, selectNewestDiscussions, selectScopes } from '../store/reviewer-list-store.ts';
import { selectReviewer } from '../store/reviewer-store.ts';
import { presentDetail } from './present-reviewer.ts';

export async function readReviewer(
  { actor, db, settings }: Pick<Context, 'actor' | 'db' | 'settings'>,
  id: string,
) {
  const row = await selectReviewer(db, actor.organizationId, id);
  if (!row) throw notFound('The reviewer');
  const scopes = await selectScopes(db, actor, [{ id, version: row.active_version }]);
  const discussions = await selectNewestDiscussions(db, actor, [id]);
  const findings = await selectFindings(
    db,
    discussions.map((discussion) => discussion.id),
  );
  const hasModel = await usesModel({ db, models: settings.models }, actor.organizationId);
  return presentDetail(row, { scopes, discussions, findings, hasModel }, actor);
}
