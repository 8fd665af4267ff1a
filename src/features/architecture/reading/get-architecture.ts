/** GET /api/v2/repositories/:repositoryId/architecture: what is known about one repository. */
import { defineOperation } from '../../../context.ts';
import { Architecture, GetArchitectureInput } from '../contract.ts';
import { readArchitecture } from './read-architecture.ts';

export const getArchitecture = defineOperation({
  name: 'get-architecture',
  group: 'Architecture',
  summary: 'Get the architecture of a repository',
  description:
    'Its summaries with evidence, languages, parts, contracts, owners and activity, and how far describing it is.',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/architecture', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetArchitectureInput,
  output: Architecture,
  problems: ['not_found'],
  run: ({ actor, db }, { repositoryId }) => readArchitecture(db, actor, repositoryId),
});
