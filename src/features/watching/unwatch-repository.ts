/** DELETE /api/v2/repositories/:repositoryId/watch: the caller, or a team, no longer watches a repository. */
import { defineOperation } from '../../context.ts';
import { changeWatch } from './change-watch.ts';
import { RepositoryWatch, UnwatchRepositoryInput } from './contract.ts';
import { deleteWatch } from './watch-store.ts';

export const unwatchRepository = defineOperation({
  name: 'unwatch-repository',
  group: 'Inbox',
  summary: 'Stop watching a repository',
  description: 'What is in the inbox stays there.',
  http: { method: 'DELETE', path: '/api/v2/repositories/:repositoryId/watch', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: UnwatchRepositoryInput,
  output: RepositoryWatch,
  problems: ['not_found', 'forbidden'],
  run(context, { repositoryId, teamId }) {
    return changeWatch(context, { paths: null, repositoryId, teamId }, (db, watcher) =>
      deleteWatch(db, repositoryId, watcher),
    );
  },
});
