/** Sets up the webhook of a project. */
import type { HostClient } from '../host-client.ts';
import { MAX_WEBHOOKS } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { CodeHost } from '../port.ts';
import { hookShape } from './shapes.ts';

export async function ensureWebhook(
  client: HostClient,
  projectPath: string,
  { secret, url }: Parameters<CodeHost['ensureWebhook']>[1],
): ReturnType<CodeHost['ensureWebhook']> {
  const path = `${projectPath}/hooks`;
  const hooks = listAll({ client, request: { path }, shape: hookShape, what: 'the webhooks' });
  const { items } = await collect(hooks, MAX_WEBHOOKS);
  const own = items.find((hook) => hook.url === url);
  const body = {
    url,
    token: secret,
    push_events: true,
    merge_requests_events: true,
    note_events: true,
    pipeline_events: true,
    job_events: true,
    enable_ssl_verification: true,
  };
  await (own
    ? client({ method: 'PUT', path: `${path}/${own.id}`, body })
    : client({ method: 'POST', path, body }));
  return own ? 'updated' : 'created';
}
