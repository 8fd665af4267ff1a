/** GET /api/v2/repositories/:repositoryId/neighbours: which repositories it depends on, and which depend on it. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import {
  ListNeighboursInput,
  MAX_PLACES_OF_NEIGHBOUR,
  MAX_REPOSITORIES_SHOWN,
  Neighbours,
} from './contract.ts';
import { selectDescription } from './describe-store.ts';
import { findNeighbours, MAX_COMPARED_NAMES, MAX_PROVIDERS } from './find-neighbours.ts';
import { presentPlaces } from './present-places.ts';

export const listNeighbours = defineOperation({
  name: 'list-neighbours',
  group: 'Architecture',
  summary: 'List what a repository depends on, and who depends on it',
  description: `Only repositories that you can see, each with at most ${MAX_PLACES_OF_NEIGHBOUR} places in the code that show it; those with most places first. What more than ${MAX_PROVIDERS} repositories provide, such as \`GET /health\`, connects none. Compares the first ${MAX_COMPARED_NAMES} names of each kind.`,
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/neighbours', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListNeighboursInput,
  output: Neighbours,
  problems: ['not_found'],
  async run({ actor, db }, { repositoryId }) {
    const description = await selectDescription(db, actor, repositoryId);
    if (!description) throw notFound('The repository');
    const found = await findNeighbours(
      db,
      actor,
      { repositoryId, commit: description.commit },
      { repositories: MAX_REPOSITORIES_SHOWN + 1, places: MAX_PLACES_OF_NEIGHBOUR },
    );
    const dependencies = presentPlaces(found.dependencies);
    const consumers = presentPlaces(found.consumers);
    return {
      dependencies: dependencies.repositories,
      consumers: consumers.repositories,
      isComplete: dependencies.isComplete && consumers.isComplete,
    };
  },
});
