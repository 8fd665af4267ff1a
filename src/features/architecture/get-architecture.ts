/** GET /api/v2/repositories/:repositoryId/architecture: what is known about one repository. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import { Architecture, GetArchitectureInput } from './contract.ts';
import { selectDescription } from './describe-store.ts';
import { selectProvided } from './fact-store.ts';
import { presentArchitecture } from './present-architecture.ts';
import { selectSummariesOf } from './summary-store.ts';

const MAX_LISTED = 200;

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
  async run({ actor, db }, { repositoryId }) {
    const description = await selectDescription(db, actor, repositoryId);
    if (!description) throw notFound('The repository');
    const { organizationId } = actor;
    const summaries = await selectSummariesOf(db, organizationId, repositoryId);
    const provided = (kind: string) =>
      selectProvided(db, organizationId, { repositoryId, kind, limit: MAX_LISTED });
    const owners = await provided('owner');
    const contracts = await provided('contract');
    return presentArchitecture(description, { summaries, owners, contracts });
  },
});
