/** Adds a repository, for administrators over HTTP and for the operator on the host. */

import { type FieldError, invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../audit/index.ts';
import { selectActiveMembers } from '../memberships/index.ts';
import { MAX_REPOSITORIES, type VISIBILITIES } from './contract.ts';
import { type Credential, sealCredential } from './credential.ts';
import { attachPlanLinks } from './store/plan-link-store.ts';
import {
  countRepositories,
  insertRepository,
  lockRepositories,
  replaceMembers,
} from './store/repository-store.ts';

export interface RepositoryToAdd {
  name: string;
  /** Already checked. */
  url: string;
  credential: Credential | null;
  visibility: (typeof VISIBILITIES)[number];
  memberIds: string[];
  addedByOperator: boolean;
}

/** Returns the new id. The repository is due for its first clone immediately. */
export function createRepository(
  db: Db,
  secrets: SecretBox,
  wanted: RepositoryToAdd,
  source: AuditSource,
): Promise<string> {
  const { organizationId } = source;
  const { credential, memberIds, ...rest } = wanted;
  const id = uuidv7();
  return inTransaction(db, async (transaction) => {
    await lockRepositories(transaction, organizationId);
    if ((await countRepositories(transaction, organizationId)) >= MAX_REPOSITORIES) {
      throw new Problem(
        'conflict',
        `The organization already has ${MAX_REPOSITORIES.toLocaleString('en-US')} repositories, the maximum. Remove one first.`,
      );
    }
    const members = await checkMembers(transaction, organizationId, memberIds);
    const sealed = sealCredential(secrets, id, credential);
    const added = await insertRepository(transaction, {
      ...rest,
      id,
      organizationId,
      credentialKind: sealed.credential_kind,
      credential: sealed.credential,
      at: source.at,
    });
    if (!added) throw nameTaken(wanted.name);
    await attachPlanLinks(transaction, { id, organizationId, name: wanted.name });
    await replaceMembers(transaction, { id, organizationId }, members);
    await recordAudit(transaction, source, {
      action: 'repository.added',
      subjectId: id,
      subjectName: wanted.name,
      detail: { url: wanted.url, visibility: wanted.visibility, credential: sealed.credential_kind },
    });
    return id;
  });
}

export function nameTaken(name: string): Problem {
  return new Problem('conflict', `A repository named ${name} already exists. Choose another name.`);
}

/** The ids without duplicates; ids that aren't members make the request invalid. */
export async function checkMembers(db: Db, organizationId: string, userIds: string[]): Promise<string[]> {
  const known = await selectActiveMembers(db, organizationId, userIds);
  const errors = userIds.flatMap((userId, index): FieldError[] =>
    known.has(userId)
      ? []
      : [{ path: `memberIds[${index}]`, message: 'is not a member of your organization' }],
  );
  if (errors.length > 0) throw invalidRequest(errors);
  return [...known];
}
