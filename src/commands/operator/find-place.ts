/** The repository that an option names. */
import { type FoundRepository, operatorIn, resolveRepository } from '../../features/repositories/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Call, textOption } from '../command.ts';
import { printable } from '../terminal/printable.ts';
import { findOrganization } from './check-option.ts';
import type { RepositoryPlace } from './refresh-here.ts';

export async function findPlace(
  db: Db,
  call: Call,
  option: 'name' | 'repository',
): Promise<RepositoryPlace & { repository: FoundRepository }> {
  const { id: organizationId } = await findOrganization(db, call);
  const found = await resolveRepository(db, operatorIn(organizationId), textOption(call, option));
  if (found.kind === 'one') {
    return { organizationId, repositoryId: found.repository.id, repository: found.repository };
  }
  if (found.kind === 'none') throw noSuchRepository(call, option);
  const names = found.candidates.map((name) => `\n  ${printable(name)}`).join('');
  throw new StartFailure('refused', `several repositories have this name. Choose one:${names}`);
}

export function noSuchRepository(call: Call, option: 'name' | 'repository'): StartFailure {
  const name = printable(textOption(call, option));
  return new StartFailure(
    'refused',
    `no repository named ${name}. To list repositories: countersign repo list`,
  );
}
