/** Repositories as returned by the API: the URL only for those who can manage them, credentials never. */
import type { z } from 'zod';
import { hasRole } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Repository, RepositoryActivity } from './contract.ts';
import { type RepositoryRow, selectMembersOf } from './store/repository-store.ts';
import type { Reader } from './store/visible-repositories-store.ts';

type Shown = z.input<typeof Repository>;

export async function presentRepositories(db: Db, reader: Reader, rows: RepositoryRow[]): Promise<Shown[]> {
  const closed = rows.filter((row) => row.visibility === 'members').map((row) => row.id);
  const members = closed.length > 0 ? await selectMembersOf(db, closed) : [];
  return rows.map((row) => ({
    ...presentRow(row, hasRole(reader.role, 'admin')),
    members: members
      .filter((member) => member.repository_id === row.id)
      .map(({ id, name }) => ({ id, name })),
  }));
}

export async function presentRepository(db: Db, reader: Reader, row: RepositoryRow): Promise<Shown> {
  return (await presentRepositories(db, reader, [row]))[0]!;
}

function presentRow(row: RepositoryRow, canManage: boolean): Omit<Shown, 'members'> {
  return {
    id: row.id,
    name: row.name,
    url: canManage ? row.url : null,
    // Without a claim, the worker that cloned it is gone, and it waits for another.
    state: row.state === 'cloning' && !row.busy ? 'waiting' : row.state,
    activity: activityOf(row),
    problem:
      row.problem === null
        ? null
        : {
            // The message may name servers and folders.
            message: canManage
              ? row.problem
              : 'The repository could not be fetched. Administrators can see the cause.',
            at: row.problem_at!.toISOString(),
            nextTryAt: row.next_refresh_at?.toISOString() ?? null,
          },
    defaultBranch: row.default_branch,
    headCommit: row.head_commit,
    branchCount: row.branch_count,
    tagCount: row.tag_count,
    visibility: row.visibility,
    credentialKind: row.credential_kind,
    refreshedAt: row.refreshed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: (row.updated_at ?? row.created_at).toISOString(),
    canManage,
  };
}

const NOTHING_YET = { percent: null, objects: null, totalObjects: null, bytes: null };

/** `waiting` when a refresh was requested and hasn't started. */
function activityOf(row: RepositoryRow): z.input<typeof RepositoryActivity> | null {
  if (row.busy && row.activity !== null) {
    const known = row.activity as Pick<z.input<typeof RepositoryActivity>, 'phase'>;
    return { ...NOTHING_YET, ...known, startedAt: row.refresh_started_at!.toISOString() };
  }
  const asked = row.refresh_asked_at;
  if (asked === null || (row.refresh_started_at !== null && row.refresh_started_at >= asked)) return null;
  return { ...NOTHING_YET, phase: 'waiting', startedAt: asked.toISOString() };
}
