/** GET /api/v2/repositories/:repositoryId/events: a server-sent event each time the repository changes. */
import { type Context, defineOperation } from '../../context.ts';
import type { StreamEvent } from '../../platform/core/operations/operation.ts';
import { GetRepositoryInput, RepositoryChange } from './contract.ts';
import { findRepository } from './find-repository.ts';
import { type RepositoryRow, selectRepository } from './store/repository-store.ts';

/** How often a comment is sent to keep proxies from closing the connection, and the caller's access is rechecked. */
const KEEP_ALIVE_MS = 20_000;

export const streamRepositoryChanges = defineOperation({
  name: 'stream-repository-changes',
  group: 'Repositories',
  summary: 'Follow changes to a repository',
  description:
    'Sends a `repository_changed` event after a push is fetched and whenever the state or settings of the repository change.',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/events', status: 200, eventStream: true },
  accepts: ['session'],
  role: 'viewer',
  input: GetRepositoryInput,
  output: RepositoryChange,
  problems: ['not_found'],
  async run(context, { repositoryId }) {
    const repository = await findRepository(context, repositoryId);
    const gone = context.disconnected();
    const release = context.waits.open(context.actor.credentialId);
    gone.addEventListener('abort', release, { once: true });
    return follow(context, repository, gone, release) as never;
  },
});

async function* follow(
  context: Context,
  repository: RepositoryRow,
  gone: AbortSignal,
  release: () => void,
): AsyncGenerator<StreamEvent> {
  const { actor, db, feed } = context;
  const listener = feed.listen(repository.id);
  try {
    let [last, number] = [fingerprint(repository), 0];
    while (!gone.aborted) {
      const row = await selectRepository(db, actor, repository.id);
      // The repository was removed, or the caller lost access to it.
      if (!row) return;
      if (fingerprint(row) === last) yield { id: '', kind: '', data: null };
      else {
        last = fingerprint(row);
        number += 1;
        const data = { repoId: row.id, state: row.state, headCommit: row.head_commit };
        yield { id: String(number), kind: 'repository_changed', data };
      }
      await listener.next(KEEP_ALIVE_MS, gone);
      if (!(await context.stillAllowed())) return;
    }
  } finally {
    listener.close();
    // A stream that the service ends does not count as a disconnect.
    release();
  }
}

/** Everything the page shows about a repository except the progress of a refresh. */
function fingerprint({ activity: _activity, ...row }: RepositoryRow): string {
  return JSON.stringify(row);
}
