/** GET /api/v2/repositories: those that the caller may see. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/page.ts';
import { ListRepositoriesInput, NAME_CHARACTERS, RepositoryPage } from './contract.ts';
import { presentRepositories } from './present-repository.ts';
import { selectRepositories } from './repository-store.ts';

export const listRepositories = defineOperation({
  name: 'list-repositories',
  group: 'Repositories',
  summary: 'List repositories',
  description: 'Those that you may see, by name, with what is being done with them and what went wrong.',
  http: { method: 'GET', path: '/api/v2/repositories', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListRepositoriesInput,
  output: RepositoryPage,
  problems: [],
  async run({ actor, db }, { cursor, limit = DEFAULT_LIMIT, search }) {
    const [afterName] = readCursor(cursor, [(name) => name.length <= NAME_CHARACTERS]) ?? [];
    const rows = await selectRepositories(db, actor, { search, afterName, limit: limit + 1 });
    const { nextCursor, page } = cutPage(rows, limit, (row) => [row.folded_name]);
    return { repositories: await presentRepositories(db, actor, page), nextCursor };
  },
});
