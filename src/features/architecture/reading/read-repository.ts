/** GET /api/v2/architecture/repository: what a repository is and does, who uses it and what it uses, by its name, for agents. */
import { defineOperation } from '../../../context.ts';
import { findNamedRepository } from '../../repositories/index.ts';
import { DescribedRepository, ReadRepositoryInput } from '../contract.ts';
import { readArchitecture, readNeighbours } from './read-architecture.ts';

export const readRepository = defineOperation({
  name: 'read-repository',
  group: 'Architecture',
  summary: 'Read what a repository is and does, by its name',
  description: 'Its architecture, what it depends on, and who depends on it.',
  http: { method: 'GET', path: '/api/v2/architecture/repository', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ReadRepositoryInput,
  output: DescribedRepository,
  problems: ['ambiguous_repository', 'not_found'],
  async run(context, { planSeriesId, repository }) {
    const { actor, db } = context;
    const { id } = await findNamedRepository(context, repository);
    return {
      architecture: await readArchitecture(db, actor, id),
      neighbours: await readNeighbours(db, actor, id, planSeriesId),
    };
  },
});
