/** Places by repository, as they leave the service. */
import type { z } from 'zod';
import { MAX_REPOSITORIES_SHOWN, type RepositoryPlaces } from '../contract.ts';
import type { PlaceRow } from './use-store.ts';

/** Rows of one repository stand together; a query requests one repository more than is shown. */
export function presentPlaces(rows: readonly PlaceRow[]): {
  repositories: z.input<typeof RepositoryPlaces>[];
  isComplete: boolean;
} {
  const byRepository = Map.groupBy(rows, ({ repoId }) => repoId);
  const repositories = [...byRepository.values()].map((ofOne) => {
    const { commit, places, repoId, repoName } = ofOne[0]!;
    return {
      repoId,
      repoName,
      commit,
      places: ofOne.map(({ detail, kind, line, name, path }) => ({ kind, name, path, line, detail })),
      morePlaces: places - ofOne.length,
    };
  });
  return {
    repositories: repositories.slice(0, MAX_REPOSITORIES_SHOWN),
    isComplete: repositories.length <= MAX_REPOSITORIES_SHOWN,
  };
}
