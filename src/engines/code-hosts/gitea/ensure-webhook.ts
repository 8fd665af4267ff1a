/** Sets up the webhook of a repository. */
import type { HostClient } from '../host-client.ts';
import { MAX_WEBHOOKS } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { CodeHost } from '../port.ts';
import { webhookShape } from './shapes.ts';
import { GITEA_EVENTS } from './webhooks.ts';

/** Servers give out at most 50 by default. */
const PAGE_SIZE = 50;

export async function ensureWebhook(
  client: HostClient,
  repositoryPath: string,
  { secret, url }: Parameters<CodeHost['ensureWebhook']>[1],
): ReturnType<CodeHost['ensureWebhook']> {
  const path = `${repositoryPath}/hooks`;
  const hooks = listAll({
    client,
    request: { path },
    shape: webhookShape,
    what: 'the webhooks',
    sizeParameter: 'limit',
    size: PAGE_SIZE,
  });
  const { items } = await collect(hooks, MAX_WEBHOOKS);
  const own = items.find(({ config }) => config?.url === url);
  const body = { active: true, events: [...GITEA_EVENTS], config: { url, content_type: 'json', secret } };
  await (own
    ? client({ method: 'PATCH', path: `${path}/${own.id}`, body })
    : client({ method: 'POST', path, body: { type: 'gitea', ...body } }));
  return own ? 'updated' : 'created';
}
