/** GET /api/v2/repositories/:repositoryId/events: server-sent events, one each time the repository changed. */
import { type Context, defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import type { StreamEvent } from '../../platform/core/operation.ts';
import { GetRepositoryInput, RepositoryChange } from './contract.ts';
import { findRepository } from './find-repository.ts';
import { type RepositoryRow, selectRepository } from './repository-store.ts';

/** A comment is sent this often, so that proxies keep the connection; also when the caller's access is checked again. */
const KEEP_ALIVE_MS = 20_000;
const MAX_OPEN = 100;

/** Open streams by credential. */
const open = new Map<string, number>();

export const streamRepositoryChanges = defineOperation({
  name: 'stream-repository-changes',
  group: 'Repositories',
  summary: 'Follow changes to a repository',
  description:
    'Server-sent events named `repository_changed`: after a push was fetched, and when the state or the settings of the repository changed.',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/events', status: 200, eventStream: true },
  accepts: ['session'],
  role: 'viewer',
  input: GetRepositoryInput,
  output: RepositoryChange,
  problems: ['not_found'],
  async run(context, { repositoryId }) {
    const repository = await findRepository(context, repositoryId);
    if ((open.get(context.actor.credentialId) ?? 0) >= MAX_OPEN) {
      throw new Problem('rate_limited', `At most ${MAX_OPEN} repositories can be followed at once.`, {
        retryAfterSeconds: 10,
      });
    }
    return follow(context, repository, context.disconnected()) as never;
  },
});

async function* follow(
  context: Context,
  repository: RepositoryRow,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { actor, db, feed } = context;
  open.set(actor.credentialId, (open.get(actor.credentialId) ?? 0) + 1);
  const listener = feed.listen(repository.id);
  try {
    let [last, number] = [fingerprint(repository), 0];
    while (!gone.aborted) {
      const row = await selectRepository(db, actor, repository.id);
      // It was removed, or the caller may no longer see it.
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
    const rest = open.get(actor.credentialId)! - 1;
    if (rest > 0) open.set(actor.credentialId, rest);
    else open.delete(actor.credentialId);
  }
}

/** All that a page shows of a repository, but for the progress of work on it. */
function fingerprint({ activity: _activity, ...row }: RepositoryRow): string {
  return JSON.stringify(row);
}
