/** POST /api/v2/repositories/:repositoryId/push-url: the URL for the code host's webhook, created on first use. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { newToken } from '../../platform/core/text/secret-token.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { GetPushUrlInput, PushUrl } from './contract.ts';
import { openPushToken, pushUrlOf, sealPushToken } from './push-url.ts';
import { lockRepository, updateRepository } from './store/repository-store.ts';

export const getPushUrl = defineOperation({
  name: 'get-push-url',
  group: 'Repositories',
  summary: 'Get the URL to call after a push',
  description:
    'For a webhook on the code host with content type JSON: any POST to it makes the service fetch immediately. The URL never changes.',
  http: { method: 'POST', path: '/api/v2/repositories/:repositoryId/push-url', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: GetPushUrlInput,
  output: PushUrl,
  problems: ['not_found'],
  async run(context, { repositoryId }) {
    const { actor, baseUrl, clock, db, secrets } = context;
    const token = await inTransaction(db, async (transaction) => {
      const repository = await lockRepository(transaction, actor.organizationId, repositoryId);
      if (!repository) throw notFound('The repository');
      await recordAudit(transaction, callerOf(context), {
        action: 'repository.push_url_shown',
        subjectId: repositoryId,
        subjectName: repository.name,
      });
      if (repository.push_token) return openPushToken(secrets, repositoryId, repository.push_token);
      const made = newToken();
      await updateRepository(transaction, actor.organizationId, repositoryId, {
        push_token: sealPushToken(secrets, repositoryId, made),
        updated_at: clock.now(),
      });
      return made;
    });
    return { url: pushUrlOf(baseUrl, repositoryId, token) };
  },
});
