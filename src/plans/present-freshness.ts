/** Whether a repository moved on since a version was posted. */
import type { z } from 'zod';
import type { RepositoryFreshness } from './contract.ts';

export function presentFreshness(row: {
  repository_id: string | null;
  name: string;
  head_then: string | null;
  head_now: string | null;
}): z.input<typeof RepositoryFreshness> {
  const known = row.head_then !== null && row.head_now !== null;
  return {
    repoId: row.repository_id,
    repoName: row.name,
    headThen: row.head_then,
    headNow: row.head_now,
    state: known ? (row.head_then === row.head_now ? 'current' : 'behind') : 'unknown',
    // Which files changed between two commits is asked of git, once repositories are cloned.
    changedFiles: known && row.head_then === row.head_now ? [] : null,
  };
}
