/** PUT /api/v2/repositories/:repositoryId/watch: the caller, or a team, watches a repository or some paths in it. */
import { defineOperation } from '../../context.ts';
import { changeWatch } from './change-watch.ts';
import { RepositoryWatch, WatchRepositoryInput } from './contract.ts';
import { upsertWatch } from './watch-store.ts';

export const watchRepository = defineOperation({
  name: 'watch-repository',
  group: 'Inbox',
  summary: 'Watch a repository',
  description:
    'Each pull request that is opened or becomes ready from then on, or is pushed to, shows up once in your inbox, and in your mail by your choice. With `paths`, only those that change a matching path.',
  http: { method: 'PUT', path: '/api/v2/repositories/:repositoryId/watch', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: WatchRepositoryInput,
  output: RepositoryWatch,
  problems: ['not_found', 'forbidden'],
  run(context, { paths: given = [], repositoryId, teamId }) {
    const paths = [...new Set(given)];
    const { actor, clock } = context;
    return changeWatch(context, { paths, repositoryId, teamId }, (db, watcher) =>
      upsertWatch(db, {
        organizationId: actor.organizationId,
        repositoryId,
        watcher,
        paths,
        at: clock.now(),
      }),
    );
  },
});
