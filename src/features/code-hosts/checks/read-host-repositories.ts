/** Reads all repositories of a host: follows renames and visibility, and adds those that patterns name. */
import type { Repository } from '../../../engines/code-hosts/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { serviceOf } from '../../audit/index.ts';
import { applyReaders } from '../../repositories/index.ts';
import { markListed } from '../connections/host-check-store.ts';
import {
  finishSelections,
  noteAdded,
  noteSelectionProblem,
  type SelectionRow,
  selectSelections,
} from '../connections/selection-store.ts';
import { addHostRepository } from '../repositories/add-host-repository.ts';
import { type AddedRow, selectAdded, updateAdded } from '../repositories/host-repository-store.ts';
import { matchesPattern } from '../repositories/repository-pattern.ts';
import type { HostCheck } from './host-check.ts';

export async function readHostRepositories(check: HostCheck): Promise<void> {
  const { db, host, row, signal } = check;
  const selections = await selectSelections(db, [row.id]);
  const wanted = selections.filter(({ finished_at, include_new }) => include_new || finished_at === null);
  let page: string | null = null;
  do {
    const { items, next } = await host.repositories(page ?? undefined);
    const added = await selectAdded(
      db,
      row.id,
      items.map(({ id }) => id),
    );
    for (const repository of items) {
      signal.throwIfAborted();
      const known = added.find((one) => one.host_repository_id === repository.id);
      if (known) await follow(check, known, repository);
      else await addWanted(check, wanted, repository);
    }
    page = next;
  } while (page !== null);
  await finishSelections(
    db,
    selections.filter(({ finished_at }) => finished_at === null),
  );
  await markListed(db, row.id, row.started_at);
}

async function follow({ announce, db }: HostCheck, known: AddedRow, repository: Repository): Promise<void> {
  const { full_name: from, is_private: wasPrivate, repository_id: id } = known;
  if (from === repository.fullName && wasPrivate === repository.private) return;
  await inTransaction(db, async (transaction) => {
    await updateAdded(transaction, id, {
      cloneUrl: repository.cloneUrl,
      from,
      fullName: repository.fullName,
      isPrivate: repository.private,
    });
    // One that became private is closed at once; who can read it is read next.
    await applyReaders(transaction, [id]);
  });
  announce(id);
}

async function addWanted(check: HostCheck, wanted: SelectionRow[], repository: Repository): Promise<void> {
  const { announce, db, row } = check;
  const selection = wanted.find(({ pattern }) => matchesPattern(pattern, repository.fullName));
  if (!selection || repository.archived) return;
  const source = serviceOf(row.organization_id, check.now());
  const outcome = await addHostRepository(check, row.id, repository, source);
  if (outcome.kind === 'added') {
    await noteAdded(db, selection.id);
    announce(outcome.repositoryId);
  } else await noteSelectionProblem(db, selection.id, `${repository.fullName}: ${outcome.reason}`);
}
