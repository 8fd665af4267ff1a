/** POST /api/v2/repositories/:repositoryId/pushes/:token: notification from the code host that something was pushed. */
import { definePublicOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { NotePushInput } from './contract.ts';
import { isSameToken, openPushToken } from './push-url.ts';
import { askForRefresh, selectPushToken } from './store/repository-store.ts';

export const notePush = definePublicOperation({
  name: 'note-push',
  group: 'Repositories',
  summary: 'Notify of a push',
  description:
    'The token in the URL is the credential. The body is ignored. All pushes before the next refresh starts are fetched together.',
  http: { method: 'POST', path: '/api/v2/repositories/:repositoryId/pushes/:token', status: 204 },
  input: NotePushInput,
  output: null,
  problems: ['not_found'],
  async run(context, { repositoryId, token }) {
    const { db, feed, secrets } = context;
    const sealed = await selectPushToken(db, repositoryId);
    if (sealed === null || !isSameToken(openPushToken(secrets, repositoryId, sealed), token)) {
      throw notFound('The push URL');
    }
    await askForRefresh(db, repositoryId);
    context.afterCommit(() => feed.announce(repositoryId));
  },
});
