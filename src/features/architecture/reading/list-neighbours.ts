/** GET /api/v2/repositories/:repositoryId/neighbours: which repositories it depends on, and which depend on it. */
import { defineOperation } from '../../../context.ts';
import { ListNeighboursInput, MAX_PLACES_OF_NEIGHBOUR, Neighbours } from '../contract.ts';
import { MAX_COMPARED_NAMES, MAX_PROVIDERS } from '../uses/find-neighbours.ts';
import { readNeighbours } from './read-architecture.ts';

export const listNeighbours = defineOperation({
  name: 'list-neighbours',
  group: 'Architecture',
  summary: 'List what a repository depends on, and who depends on it',
  description: `Only repositories that you can see, each with at most ${MAX_PLACES_OF_NEIGHBOUR} places in the code that show it; those with most places first. What more than ${MAX_PROVIDERS} repositories provide, such as \`GET /health\`, connects none. Compares the first ${MAX_COMPARED_NAMES} names of each kind.`,
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/neighbours', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListNeighboursInput,
  output: Neighbours,
  problems: ['not_found'],
  run: ({ actor, db }, { repositoryId }) => readNeighbours(db, actor, repositoryId),
});
