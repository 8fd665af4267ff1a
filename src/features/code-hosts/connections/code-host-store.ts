/** Queries for code hosts, and for which repositories are kept in sync with them. */
import { sql } from 'kysely';
import type { HostKind } from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { setCodeHost } from '../../repositories/index.ts';

export interface NewCodeHost {
  id: string;
  organizationId: string;
  kind: HostKind;
  /** Without a trailing slash. */
  url: string;
  name: string | null;
  credentialKind: 'token' | 'app';
  /** Both encrypted. */
  credential: Buffer;
  webhookSecret: Buffer;
  createdBy: string | null;
  at: Date;
}

export async function insertCodeHost(db: Db, host: NewCodeHost): Promise<void> {
  await db
    .insertInto('code_hosts')
    .values({
      id: host.id,
      organization_id: host.organizationId,
      kind: host.kind,
      url: host.url,
      name: host.name,
      credential_kind: host.credentialKind,
      credential: host.credential,
      webhook_secret: host.webhookSecret,
      created_by: host.createdBy,
      created_at: host.at,
      updated_at: host.at,
    })
    .execute();
}

export function selectCodeHost(db: Db, organizationId: string, codeHostId: string) {
  return db
    .selectFrom('code_hosts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', codeHostId)
    .executeTakeFirst();
}

export type CodeHostRow = NonNullable<Awaited<ReturnType<typeof selectCodeHost>>>;

export interface RepositoryToConnect {
  repositoryId: string;
  organizationId: string;
  codeHostId: string;
  hostRepositoryId: string;
  fullName: string;
  isPrivate: boolean;
  at: Date;
}

/** From now on its pull requests are imported and kept in sync. Connecting it again to the same host continues. */
export async function connectRepository(db: Db, repository: RepositoryToConnect): Promise<void> {
  const { codeHostId, repositoryId } = repository;
  const named = { full_name: repository.fullName, is_private: repository.isPrivate };
  await db
    .insertInto('code_host_repositories')
    .values({
      ...named,
      repository_id: repositoryId,
      organization_id: repository.organizationId,
      code_host_id: codeHostId,
      host_repository_id: repository.hostRepositoryId,
      connected_at: repository.at,
      next_list_at: sql<Date>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(named))
    .execute();
  await setCodeHost(db, { id: repositoryId, organizationId: repository.organizationId }, codeHostId);
}

/** Keeps everything that was read; nothing more is read from the host or sent to it. */
export async function disconnectRepository(
  db: Db,
  organizationId: string,
  repositoryId: string,
): Promise<void> {
  await db
    .deleteFrom('code_host_repositories')
    .where('organization_id', '=', organizationId)
    .where('repository_id', '=', repositoryId)
    .execute();
  await setCodeHost(db, { id: repositoryId, organizationId }, null);
}

/** A new credential was given, or the host answered: work continues at once. */
export async function clearHostProblem(db: Db, codeHostId: string): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({ state: 'working', problem: null, problem_at: null, failures: 0, paused_until: null })
    .where('id', '=', codeHostId)
    .where(sql<boolean>`(state <> 'working' OR failures > 0 OR paused_until IS NOT NULL)`)
    .execute();
}
