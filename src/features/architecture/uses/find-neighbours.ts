/** Finds dependencies and consumers of a repository: equal names on both sides, unless they are common ones. */
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import type { UsedKind } from '../contract.ts';
import { matchesOf } from './matching-names.ts';
import {
  type OwnFact,
  type PlaceLimits,
  type PlaceRow,
  selectConsumers,
  selectDependencies,
  selectOwnFacts,
} from './use-store.ts';

/** Environment variables are left out: that two repositories read `PORT` says nothing about them. */
const KINDS: readonly UsedKind[] = ['package', 'contract', 'event', 'table', 'route', 'symbol'];
/** Per kind. */
export const MAX_COMPARED_NAMES = 2000;
export const MAX_PROVIDERS = 3;

export async function findNeighbours(
  db: Db,
  reader: Reader,
  {
    commit,
    providedIn,
    repositoryId,
  }: {
    repositoryId: string;
    commit: string | null;
    /** Only consumers of what these files provide; all if the repository has none of them. */
    providedIn?: readonly string[];
  },
  limits: PlaceLimits,
): Promise<{ dependencies: PlaceRow[]; consumers: PlaceRow[] }> {
  const factsOf = (role: 'provides' | 'uses', files?: readonly string[]) =>
    selectOwnFacts(db, reader.organizationId, {
      repositoryId,
      role,
      kinds: KINDS,
      limit: MAX_COMPARED_NAMES,
      ...(files && { files }),
    });
  const provided = async () => {
    const found = providedIn ? await factsOf('provides', providedIn) : [];
    if (found.length > 0) return found;
    // Files that provide nothing, new files and files of other repositories don't narrow the result.
    return providedIn && (await factsOf('uses', providedIn)).length > 0 ? [] : factsOf('provides');
  };
  const queryFor = (facts: readonly OwnFact[]) => ({
    repositoryId,
    names: facts.flatMap(({ kind, name }, thing) =>
      matchesOf({ kind, name }).map((match) => ({ thing, kind, name: match })),
    ),
    maxProviders: MAX_PROVIDERS,
    limits,
  });
  const used = await factsOf('uses');
  const found = await selectDependencies(db, reader, queryFor(used));
  return {
    dependencies: found.map(({ thing, ...row }) => ({ ...row, ...used[thing]!, commit })),
    consumers: await selectConsumers(db, reader, queryFor(await provided())),
  };
}
