/** GET /api/v2/repositories: the repositories that the caller can see. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import { ListRepositoriesInput, NAME_CHARACTERS, RepositoryPage } from './contract.ts';
import { presentRepositories } from './present-repository.ts';
import { selectRepositories } from './store/repository-store.ts';

export const listRepositories = defineOperation({
  name: 'list-repositories',
  group: 'Repositories',
  summary: 'List repositories',
  description: 'The repositories that you can see, by name, with their current activity and problems.',
  http: { method: 'GET', path: '/api/v2/repositories', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListRepositoriesInput,
  output: RepositoryPage,
  problems: [],
  async run({ actor, db, settings }, { cursor, limit = DEFAULT_LIMIT, search }) {
    const [afterName] = readCursor(cursor, [(name) => name.length <= NAME_CHARACTERS]) ?? [];
    const rows = await selectRepositories(db, actor, { search, afterName, limit: limit + 1 });
    const { nextCursor, page } = cutPage(rows, limit, (row) => [row.folded_name]);
    return {
      repositories: await presentRepositories(db, actor, page),
      nextCursor,
      localAllowed: settings.allowLocalRepositories,
    };
  },
});
