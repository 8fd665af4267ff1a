/** The payloads that a fake GitLab posts to webhooks. */
import { createHmac, randomUUID } from 'node:crypto';
import { type FakeChange, type FakeHook, fullNameOf, repositoryOfChange } from './fake-model.ts';
import type { FakeDelivery } from './fake-server.ts';

/** Null for changes that GitLab sends nothing about. */
export function gitlabDelivery(change: FakeChange, hook: FakeHook, signs: boolean): FakeDelivery | null {
  const payload = payloadOf(change);
  return payload && delivery(payload, hook, signs);
}

function payloadOf(change: FakeChange): { event: string; body: Record<string, unknown> } | null {
  const repository = repositoryOfChange(change);
  const project = { id: repository.id, path_with_namespace: fullNameOf(repository) };
  switch (change.kind) {
    case 'pull_request':
    case 'review':
      return {
        event: 'Merge Request Hook',
        body: {
          object_kind: 'merge_request',
          project,
          object_attributes: { iid: change.pullRequest.number },
        },
      };
    case 'comment':
    case 'thread_comment':
      // Deleting sends nothing.
      if (change.action === 'deleted') return null;
      return {
        event: 'Note Hook',
        body: {
          object_kind: 'note',
          project,
          object_attributes: { id: change.comment.id, noteable_type: 'MergeRequest' },
          merge_request: { iid: change.pullRequest.number },
        },
      };
    case 'push':
      return { event: 'Push Hook', body: { object_kind: 'push', event_name: 'push', project } };
    case 'status':
      return {
        event: 'Pipeline Hook',
        body: {
          object_kind: 'pipeline',
          object_attributes: { id: 1, iid: 1, sha: change.status.commit },
          merge_request: null,
          project,
        },
      };
    default:
      return null;
  }
}

function delivery(
  payload: { event: string; body: unknown },
  { secret, url }: FakeHook,
  signs: boolean,
): FakeDelivery {
  const body = JSON.stringify(payload.body);
  const id = randomUUID();
  const timestamp = '1767225600';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), secret.startsWith('whsec_') ? 'base64' : 'utf8');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': payload.event,
      'idempotency-key': id,
      ...(signs
        ? { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
        : { 'x-gitlab-token': secret }),
    },
  };
}
