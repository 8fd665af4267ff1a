/** GET /api/v2/code-hosts/:codeHostId/repositories: repositories of the host that the credential can read. */

import { defineOperation } from '../../../context.ts';
import type { Repository } from '../../../engines/code-hosts/index.ts';
import { readCursor, writeCursor } from '../../../platform/core/operations/page.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { askHost } from '../connections/host-problem.ts';
import { openCodeHost } from '../connections/open-code-host.ts';
import { HostRepositoryPage, ListHostRepositoriesInput } from '../contract.ts';
import { selectAdded } from './host-repository-store.ts';

/** Hosts can't search by part of a name, so pages are read until enough match; the rest is on the next page. */
const MAX_PAGES_READ = 20;
const ENOUGH = 50;

export const listHostRepositories = defineOperation({
  name: 'list-host-repositories',
  group: 'Code hosts',
  summary: "List a code host's repositories",
  description:
    'Read from the host with each request. A page with a `search` may be empty although there are more pages.',
  http: { method: 'GET', path: '/api/v2/code-hosts/:codeHostId/repositories', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListHostRepositoriesInput,
  output: HostRepositoryPage,
  problems: ['not_found', 'conflict', 'unavailable'],
  async run(context, { codeHostId, cursor, search = '' }) {
    const { db } = context;
    const [from] = readCursor(cursor, [(page) => /^[\w.-]{1,100}$/.test(page)]) ?? [];
    const row = await findCodeHost(context, codeHostId);
    const word = search.trim().toLowerCase();
    const found: Repository[] = [];
    const next = await askHost(async () => {
      const host = openCodeHost(context, row, context.disconnected());
      let page: string | null | undefined = from;
      for (let read = 0; read < MAX_PAGES_READ && found.length < ENOUGH; read += 1) {
        const reply = await host.repositories(page ?? undefined);
        found.push(...reply.items.filter(({ fullName }) => fullName.toLowerCase().includes(word)));
        page = reply.next;
        if (page === null) break;
      }
      return page ?? null;
    });
    const added = await selectAdded(
      db,
      codeHostId,
      found.map(({ id }) => id),
    );
    const addedById = new Map(added.map((one) => [one.host_repository_id, one.repository_id]));
    return {
      repositories: found.map((one) => ({
        id: one.id,
        fullName: one.fullName,
        private: one.private,
        archived: one.archived,
        fork: one.fork,
        url: one.url,
        canAdminister: one.admin,
        repositoryId: addedById.get(one.id) ?? null,
      })),
      nextCursor: next === null ? null : writeCursor([next]),
    };
  },
});
