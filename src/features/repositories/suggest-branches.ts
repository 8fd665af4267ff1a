/** Suggests branches for a name that none has. */
import type { Db } from '../../platform/db/index.ts';
import { nearNames } from './near-names.ts';
import { selectRefs } from './ref-store.ts';

/** How many names are compared. */
const MAX_COMPARED = 1000;

export async function suggestBranches(db: Db, repositoryId: string, name: string): Promise<string[]> {
  const branches = await selectRefs(db, repositoryId, { kind: 'branch', limit: MAX_COMPARED });
  return nearNames(
    name,
    branches.map((branch) => branch.name),
  );
}
