/** Reads whom a repository asks for reviews: those who could still give one. */
import type { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { selectTeamNames } from '../../teams/index.ts';
import type { ReviewSettings } from '../contract.ts';
import { selectPossibleReviewers } from '../store/review-store.ts';
import { selectReviewSettings } from './review-settings-store.ts';

export async function readReviewSettings(
  db: Db,
  organizationId: string,
  repositoryId: string,
): Promise<z.input<typeof ReviewSettings>> {
  const row = await selectReviewSettings(db, repositoryId);
  const people = await selectPossibleReviewers(db, repositoryId, row.user_ids);
  const teams = await selectTeamNames(db, organizationId, row.team_ids);
  const shown = (names: Map<string, string>) => [...names].map(([id, name]) => ({ id, name }));
  return {
    askOwners: row.ask_owners ?? row.is_plain_git,
    reviewers: shown(people),
    teams: shown(teams),
  };
}
