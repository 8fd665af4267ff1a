/** GET /api/v2/architecture/uses: who provides and who uses a package, route, event, table, contract, variable or symbol. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import { FindUsesInput, FindUsesReply, MAX_PLACES_OF_USER, MAX_REPOSITORIES_SHOWN } from './contract.ts';
import { factsNamed } from './matching-names.ts';
import { presentPlaces } from './present-places.ts';
import { findUses as selectUses, type UseRow } from './use-store.ts';

export const findUses = defineOperation({
  name: 'find-uses',
  group: 'Architecture',
  summary: 'Find who uses something',
  description:
    'Searches the default branches of all repositories that you can see. Names must be equal after normalization: routes match in any spelling of their parameters, with the same method or one that stands for all; tables without quotes, schema and case; packages with or without their ecosystem.',
  http: { method: 'GET', path: '/api/v2/architecture/uses', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: FindUsesInput,
  output: FindUsesReply,
  problems: ['invalid_request'],
  async run({ actor, db }, { kind, name }) {
    const names = factsNamed(kind, name);
    if (names.length === 0) {
      const message =
        kind === 'route'
          ? 'must be a path such as `GET /users/:id`, with at least one segment that is not a parameter'
          : `is not the name of a ${kind}`;
      throw invalidRequest([{ path: 'name', message }]);
    }
    const rows = await selectUses(db, actor, names, {
      repositories: MAX_REPOSITORIES_SHOWN + 1,
      places: MAX_PLACES_OF_USER,
    });
    const section = (wanted: UseRow['section']) =>
      presentPlaces(rows.filter((row) => row.section === wanted));
    const [providers, outside, inside] = [section('providers'), section('outside'), section('inside')];
    return {
      providers: providers.repositories,
      outside: outside.repositories,
      inside: inside.repositories,
      isComplete: providers.isComplete && outside.isComplete && inside.isComplete,
    };
  },
});
