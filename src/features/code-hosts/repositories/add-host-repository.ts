/** Adds one repository of a code host: fetched with the host's credential, kept in sync, and visible as on the host. */
import type { Repository } from '../../../engines/code-hosts/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { acceptName, createRepository } from '../../repositories/index.ts';
import { connectRepository } from '../connections/code-host-store.ts';
import { followHost, lockNamed, selectAdded } from './host-repository-store.ts';

export type AddOutcome = { kind: 'added'; repositoryId: string } | { kind: 'skipped'; reason: string };

/** The host is locked, so that one repository is not added twice at the same time. */
export async function addHostRepository(
  { db, secrets }: { db: Db; secrets: SecretBox },
  codeHostId: string,
  repository: Repository,
  source: AuditSource,
): Promise<AddOutcome> {
  const { organizationId } = source;
  try {
    return await inTransaction(db, async (transaction): Promise<AddOutcome> => {
      if ((await selectAdded(transaction, codeHostId, [repository.id])).length > 0) {
        return { kind: 'skipped', reason: 'It was added already.' };
      }
      const name = acceptName(repository.fullName, repository.cloneUrl);
      const named = await lockNamed(transaction, organizationId, name);
      if (named && (named.code_host_id !== null || !isSame(named.url, repository.cloneUrl))) {
        return {
          kind: 'skipped',
          reason: `Another repository is named ${name}. Rename or remove it first.`,
        };
      }
      const repositoryId =
        named?.id ??
        (await createRepository(
          transaction,
          secrets,
          {
            name,
            url: repository.cloneUrl,
            credential: null,
            visibility: 'members',
            memberIds: [],
            addedByOperator: false,
          },
          source,
        ));
      await connectRepository(transaction, {
        repositoryId,
        organizationId,
        codeHostId,
        hostRepositoryId: repository.id,
        fullName: repository.fullName,
        isPrivate: repository.private,
        at: source.at,
      });
      await followHost(transaction, organizationId, repositoryId);
      await recordAudit(transaction, source, {
        action: 'code_host.repository_added',
        subjectId: repositoryId,
        subjectName: name,
        detail: { codeHostId, private: repository.private },
      });
      return { kind: 'added', repositoryId };
    });
  } catch (error) {
    // Names that are not possible here, and the limit of repositories.
    if (error instanceof Problem) return { kind: 'skipped', reason: error.message };
    throw error;
  }
}

/** Whether a repository that was added by its URL is this one. */
function isSame(url: string | null, cloneUrl: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.git$|\/+$/g, '');
  return url !== null && plain(url) === plain(cloneUrl);
}
