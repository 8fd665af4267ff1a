/** Whether the repositories of a version have new commits since it was posted, and which files named in it changed. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { RepositoryFreshness } from '../contract.ts';
import type { selectRepositoriesThenAndNow } from '../store/plan-repository-store.ts';
import { presentRepository } from './present-plan.ts';

/** The page must not wait for a repository that this node has to fetch first; the next request finds it locally. */
const MAX_DURATION_MS = 2_000;

type Row = Awaited<ReturnType<typeof selectRepositoriesThenAndNow>>[number];
type Freshness = z.input<typeof RepositoryFreshness>;

export function readFreshness(context: Context, rows: Row[], files: string[]): Promise<Freshness[]> {
  return Promise.all(rows.map((row) => freshnessOf(context, row, files)));
}

/** Null for a repository that the reader can't see. */
export function headThenOf(row: Row): string | null {
  return row.repository_id === row.visible_id ? row.head_then : null;
}

async function freshnessOf(context: Context, row: Row, files: string[]): Promise<Freshness> {
  const headThen = headThenOf(row);
  const { head_now: headNow } = row;
  const named = presentRepository(row);
  const known = headThen !== null && headNow !== null;
  return {
    ...named,
    headThen,
    headNow,
    state: known ? (headThen === headNow ? 'current' : 'behind') : 'unknown',
    changedFiles: known
      ? await changedFiles(context, named.repoId!, { from: headThen, to: headNow, paths: files })
      : null,
  };
}

/** Null if it can't be determined now. */
async function changedFiles(
  context: Context,
  repositoryId: string,
  query: { from: string; to: string; paths: string[] },
): Promise<string[] | null> {
  if (query.from === query.to || query.paths.length === 0) return [];
  const signal = AbortSignal.any([context.disconnected(), AbortSignal.timeout(MAX_DURATION_MS)]);
  try {
    return await context.code.changedFiles(repositoryId, query, { caller: context.actor, signal });
  } catch (error) {
    context.log.debug({ err: error, repositoryId }, 'could not determine changed files');
    return null;
  }
}
