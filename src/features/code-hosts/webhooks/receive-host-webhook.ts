/** POST /api/v2/code-hosts/:codeHostId/webhook: the code host says that something happened. */
import { definePublicOperation } from '../../../context.ts';
import { isSignedWebhook } from '../../../engines/code-hosts/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { ReceiveHostWebhookInput } from '../contract.ts';
import { createWebhookBatches } from './webhook-batches.ts';

export const receiveHostWebhook = definePublicOperation({
  name: 'receive-host-webhook',
  group: 'Code hosts',
  summary: 'Receive an event of a code host',
  description:
    'For webhooks of GitHub, GitLab and Gitea. The signature is checked on the body as it was sent. The body only says what to read again from the host.',
  http: {
    method: 'POST',
    path: '/api/v2/code-hosts/:codeHostId/webhook',
    status: 204,
    signedBody: 'large',
  },
  input: ReceiveHostWebhookInput,
  output: null,
  problems: ['not_found', 'unauthenticated'],
  async admit(context, { codeHostId }) {
    const host = await context.state.of(createWebhookBatches).hostOf(codeHostId);
    if (!host) throw notFound('The code host');
    if (!isSignedWebhook(host.kind, context.received!.headers)) throw notSigned();
  },
  async run(context, { codeHostId }) {
    const { body, headers } = context.received!;
    const noted = await context.state.of(createWebhookBatches).note({ codeHostId, headers, body });
    if (noted === 'no such host') throw notFound('The code host');
    if (noted === 'not signed') throw notSigned();
    if (noted.isNews) context.afterCommit(() => context.feed.announce(codeHostId));
  },
});

const notSigned = () => new Problem('unauthenticated', 'The signature of the webhook is not valid.');
