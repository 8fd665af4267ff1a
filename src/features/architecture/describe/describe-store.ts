/** Queries for what a description of a repository says. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, type RepositoryToDescribe, visibleRepositories } from '../../repositories/index.ts';

export interface Overview {
  files: number;
  languages: { language: string; files: number; lines: number }[];
  folders: { path: string; files: number; lines: number }[];
  activity: { folders: { path: string; commits: number }[]; people: { name: string; commits: number }[] };
  parts: string[];
  leftOut: string[];
}

export async function upsertOverview(
  db: Db,
  repository: RepositoryToDescribe & { headCommit: string },
  overview: Overview,
): Promise<void> {
  const values = {
    commit: repository.headCommit,
    overview: JSON.stringify(overview),
    described_at: sql<Date>`clock_timestamp()`,
  };
  await db
    .insertInto('architecture_overviews')
    .values({ repository_id: repository.id, organization_id: repository.organizationId, ...values })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
    .execute();
}

/** The repository has no commit anymore. */
export async function deleteDescription(db: Db, repositoryId: string): Promise<void> {
  await db.deleteFrom('architecture_overviews').where('repository_id', '=', repositoryId).execute();
  await db.deleteFrom('architecture_summaries').where('repository_id', '=', repositoryId).execute();
  await db.deleteFrom('architecture_code_words').where('repository_id', '=', repositoryId).execute();
  await db.deleteFrom('architecture_facts').where('repository_id', '=', repositoryId).execute();
}

/** Whether and when a repository was described; undefined when the reader can't see it. */
export function selectDescription(db: Db, reader: Reader, repositoryId: string) {
  return visibleRepositories(db, reader)
    .leftJoin('architecture_overviews as o', 'o.repository_id', 'r.id')
    .select([
      'r.id',
      'r.name',
      'r.head_commit',
      'r.describe_started_at',
      'r.describe_problem',
      'o.commit',
      'o.described_at',
      sql<Overview | null>`o.overview`.as('overview'),
    ])
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
}
