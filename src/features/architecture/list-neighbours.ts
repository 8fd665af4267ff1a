/** GET /api/v2/repositories/:repositoryId/neighbours: which repositories it depends on, and which depend on it. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import {
  ListNeighboursInput,
  MAX_PLACES_OF_NEIGHBOUR,
  MAX_REPOSITORIES_SHOWN,
  Neighbours,
  type UsedKind,
} from './contract.ts';
import { selectDescription } from './describe-store.ts';
import { matchesOf } from './matching-names.ts';
import { presentPlaces } from './present-places.ts';
import { type OwnFact, selectConsumers, selectDependencies, selectOwnFacts } from './use-store.ts';

/** Environment variables are left out: that two repositories read `PORT` says nothing about them. */
const KINDS: readonly UsedKind[] = ['package', 'contract', 'event', 'table', 'route', 'symbol'];
/** Of each kind. */
const MAX_NAMES = 2000;
const MAX_PROVIDERS = 3;

export const listNeighbours = defineOperation({
  name: 'list-neighbours',
  group: 'Architecture',
  summary: 'List what a repository depends on, and who depends on it',
  description: `Only repositories that you can see, each with at most ${MAX_PLACES_OF_NEIGHBOUR} places in the code that show it; those with most places first. What more than ${MAX_PROVIDERS} repositories provide, such as \`GET /health\`, connects none. Compares the first ${MAX_NAMES} names of each kind.`,
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/neighbours', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListNeighboursInput,
  output: Neighbours,
  problems: ['not_found'],
  async run({ actor, db }, { repositoryId }) {
    const description = await selectDescription(db, actor, repositoryId);
    if (!description) throw notFound('The repository');
    const factsOf = (role: 'provides' | 'uses') =>
      selectOwnFacts(db, actor.organizationId, { repositoryId, role, kinds: KINDS, limit: MAX_NAMES });
    const queryFor = (facts: readonly OwnFact[]) => ({
      repositoryId,
      names: facts.flatMap(({ kind, name }, thing) =>
        matchesOf({ kind, name }).map((match) => ({ thing, kind, name: match })),
      ),
      maxProviders: MAX_PROVIDERS,
      limits: { repositories: MAX_REPOSITORIES_SHOWN + 1, places: MAX_PLACES_OF_NEIGHBOUR },
    });
    const used = await factsOf('uses');
    const found = await selectDependencies(db, actor, queryFor(used));
    const dependencies = presentPlaces(
      found.map(({ thing, ...row }) => ({ ...row, ...used[thing]!, commit: description.commit })),
    );
    const consumers = presentPlaces(await selectConsumers(db, actor, queryFor(await factsOf('provides'))));
    return {
      dependencies: dependencies.repositories,
      consumers: consumers.repositories,
      isComplete: dependencies.isComplete && consumers.isComplete,
    };
  },
});
