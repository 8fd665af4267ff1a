/** PATCH /api/v2/repositories/:repositoryId: changes its name, URL, credential or visibility. */

import { type Context, defineOperation } from '../../context.ts';
import { invalidRequest, notFound } from '../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ChangeRepositoryInput, Repository } from './contract.ts';
import { checkMembers, nameTaken } from './create-repository.ts';
import { sealCredential } from './credential.ts';
import { findRepository } from './find-repository.ts';
import { presentRepository } from './present-repository.ts';
import { acceptCredential, acceptName, acceptRemoteUrl, remoteRules } from './remote-url.ts';
import {
  askForRefresh,
  isNameTaken,
  lockRepositories,
  lockRepository,
  type RepositoryChange,
  replaceMembers,
  updateRepository,
} from './store/repository-store.ts';

type Input = typeof ChangeRepositoryInput._output;

export const changeRepository = defineOperation({
  name: 'change-repository',
  group: 'Repositories',
  summary: 'Update a repository',
  description:
    'Renaming keeps the id. If the repository has a credential, changing `url` requires sending `credential` again, or null, so that the credential is never sent to another server.',
  http: { method: 'PATCH', path: '/api/v2/repositories/:repositoryId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeRepositoryInput,
  output: Repository,
  problems: ['not_found', 'conflict'],
  async run(context, { repositoryId, ...input }) {
    const { actor, db, feed } = context;
    const before = await findRepository(context, repositoryId);
    if (input.name !== undefined) acceptName(input.name, '');
    const isMoved = input.url !== undefined && input.url !== before.url;
    const url = isMoved
      ? await acceptRemoteUrl(input.url!, input.credential ?? null, remoteRules(context.settings))
      : input.url;
    if (!isMoved && before.url !== null) acceptCredential(before.url, input.credential ?? null);
    await inTransaction(db, (transaction) =>
      change({ ...context, db: transaction }, repositoryId, { ...input, url }),
    );
    context.afterCommit(() => feed.announce(repositoryId));
    return presentRepository(db, actor, await findRepository(context, repositoryId));
  },
});

type Held = NonNullable<Awaited<ReturnType<typeof lockRepository>>>;

async function change(
  context: Context,
  repositoryId: string,
  input: Omit<Input, 'repositoryId'>,
): Promise<void> {
  const { actor, clock, db } = context;
  const { organizationId } = actor;
  // The same lock order as when adding a repository, to avoid deadlocks.
  await lockRepositories(db, organizationId);
  const before = await lockRepository(db, organizationId, repositoryId);
  if (!before) throw notFound('The repository');
  const name = input.name ?? before.name;
  if (name !== before.name && (await isNameTaken(db, organizationId, name, repositoryId)))
    throw nameTaken(name);
  const fetching = changeOfFetching(context, before, input);
  const set: Omit<RepositoryChange, 'updated_at'> = {
    ...(name !== before.name && { name }),
    ...(input.visibility !== undefined &&
      input.visibility !== before.visibility && { visibility: input.visibility }),
    ...fetching,
  };
  const members = input.memberIds && (await changeMembers(db, organizationId, repositoryId, input.memberIds));
  if (Object.keys(set).length === 0 && !members) return;
  // From now on an admin decides who sees it, no longer the code host.
  const byAdmin = set.visibility !== undefined || members ? { visibility_from: 'admin' as const } : {};
  await updateRepository(db, organizationId, repositoryId, { ...set, ...byAdmin, updated_at: clock.now() });
  if (fetching) await askForRefresh(db, repositoryId);
  await recordAudit(db, callerOf(context), {
    action: 'repository.changed',
    subjectId: repositoryId,
    subjectName: name,
    detail: {
      ...(set.name !== undefined && { name: { from: before.name, to: name } }),
      ...(set.visibility !== undefined && { visibility: { from: before.visibility, to: set.visibility } }),
      ...(set.url !== undefined && { url: { from: before.url, to: set.url } }),
      ...(set.credential_kind !== undefined && {
        credential: { from: before.credential_kind, to: set.credential_kind },
      }),
      ...(members && { members: { count: members.length } }),
    },
  });
}

/** Undefined when neither the URL nor the credential changes. */
function changeOfFetching(
  { secrets }: Context,
  before: Held,
  { credential, url = before.url ?? undefined }: Pick<Input, 'credential' | 'url'>,
) {
  const moved = url !== undefined && url !== before.url;
  if (moved && credential === undefined && before.credential_kind !== 'none') {
    throw invalidRequest([
      { path: 'credential', message: 'must be sent again when the URL changes, or null for none' },
    ]);
  }
  if (!moved && credential === undefined) return undefined;
  if (!moved && credential === null && before.credential_kind === 'none') return undefined;
  return {
    ...(moved && { url, added_by_operator: false }),
    ...(credential !== undefined && sealCredential(secrets, before.id, credential)),
    problem: null,
    problem_at: null,
    push_refused_at: null,
    failures: 0,
  };
}

async function changeMembers(
  db: Db,
  organizationId: string,
  id: string,
  userIds: string[],
): Promise<string[]> {
  const members = await checkMembers(db, organizationId, userIds);
  await replaceMembers(db, { id, organizationId }, members);
  return members;
}
