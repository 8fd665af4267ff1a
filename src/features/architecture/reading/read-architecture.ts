/** Reads the architecture of one repository and of its neighbours. Not found for a reader who can't see it. */
import { notFound } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import { MAX_PLACES_OF_NEIGHBOUR, MAX_REPOSITORIES_SHOWN } from '../contract.ts';
import { selectDescription } from '../describe/describe-store.ts';
import { selectProvided } from '../describe/fact-store.ts';
import { selectSummariesOf } from '../describe/summary-store.ts';
import { findNeighbours } from '../uses/find-neighbours.ts';
import { presentPlaces } from '../uses/present-places.ts';
import { selectFilesOfPlan } from './plan-file-store.ts';
import { presentArchitecture } from './present-architecture.ts';

const MAX_LISTED = 200;

export async function readArchitecture(db: Db, reader: Reader, repositoryId: string) {
  const description = await selectDescription(db, reader, repositoryId);
  if (!description) throw notFound('The repository');
  const { organizationId } = reader;
  const summaries = await selectSummariesOf(db, organizationId, repositoryId);
  const provided = (kind: string) =>
    selectProvided(db, organizationId, { repositoryId, kind, limit: MAX_LISTED });
  const owners = await provided('owner');
  const contracts = await provided('contract');
  return presentArchitecture(description, { summaries, owners, contracts });
}

/** With a plan that names files of the repository, only consumers of what these provide. */
export async function readNeighbours(db: Db, reader: Reader, repositoryId: string, planSeriesId?: string) {
  const description = await selectDescription(db, reader, repositoryId);
  if (!description) throw notFound('The repository');
  const named = planSeriesId ? await selectFilesOfPlan(db, reader.organizationId, planSeriesId) : [];
  const found = await findNeighbours(
    db,
    reader,
    { repositoryId, commit: description.commit, ...(named.length > 0 && { providedIn: named }) },
    { repositories: MAX_REPOSITORIES_SHOWN + 1, places: MAX_PLACES_OF_NEIGHBOUR },
  );
  const dependencies = presentPlaces(found.dependencies);
  const consumers = presentPlaces(found.consumers);
  return {
    dependencies: dependencies.repositories,
    consumers: consumers.repositories,
    isComplete: dependencies.isComplete && consumers.isComplete,
  };
}
