/** GitLab's webhooks: the secret token or the signature, and which things a payload says have changed. */
import { z } from 'zod';
import { commitShape, idShape, numberShape, repositoryNameShape } from '../payload-shapes.ts';
import type { WebhookChange, WebhookHeaders, WebhookReader } from '../port.ts';
import { equalSecrets, headerOf, hmacSha256 } from '../signature.ts';

const payloadShape = z.object({
  object_kind: z.string().nullish().catch(null),
  event_name: z.string().nullish().catch(null),
  /** Sent by system hooks. */
  path_with_namespace: repositoryNameShape.nullish().catch(null),
  project_path_with_namespace: repositoryNameShape.nullish().catch(null),
  project_id: idShape,
  project: z.object({ id: idShape, path_with_namespace: repositoryNameShape }).nullish().catch(null),
  object_attributes: z
    .object({ iid: numberShape.nullish().catch(null), sha: commitShape.nullish().catch(null) })
    .nullish()
    .catch(null),
  merge_request: z.object({ iid: numberShape }).nullish().catch(null),
  /** Payloads of jobs have it. */
  sha: commitShape.nullish().catch(null),
});

const SIGNING_PREFIX = 'whsec_';

export const gitlabWebhooks: WebhookReader = {
  isSigned: (headers) => headerOf(headers, 'x-gitlab-token') + headerOf(headers, 'webhook-signature') !== '',
  verify(headers, body, secret) {
    const isToken = equalSecrets(headerOf(headers, 'x-gitlab-token'), secret);
    const isSigned = hasSignature(headers, body, secret);
    return isToken || isSigned;
  },
  read(_headers, payload) {
    const parsed = payloadShape.safeParse(payload);
    return parsed.success ? changesOf(parsed.data) : [];
  },
};

/** Standard Webhooks: one of the signatures must be right. */
function hasSignature(headers: WebhookHeaders, body: Uint8Array, secret: string): boolean {
  if (secret === '') return false;
  const key = secret.startsWith(SIGNING_PREFIX)
    ? Buffer.from(secret.slice(SIGNING_PREFIX.length), 'base64')
    : Buffer.from(secret);
  const signed = `${headerOf(headers, 'webhook-id')}.${headerOf(headers, 'webhook-timestamp')}.`;
  const expected = `v1,${hmacSha256(key, signed, body).toString('base64')}`;
  const given = headerOf(headers, 'webhook-signature').split(' ').slice(0, 10);
  return given.some((signature) => equalSecrets(signature, expected));
}

function changesOf(payload: z.output<typeof payloadShape>): WebhookChange[] {
  const { event_name, merge_request, object_attributes, object_kind, project } = payload;
  const fullName =
    project?.path_with_namespace ?? payload.path_with_namespace ?? payload.project_path_with_namespace;
  const id = (project?.id ?? payload.project_id)?.toString() ?? null;
  const repository = fullName ? { id, fullName } : null;
  const number = object_kind === 'note' ? merge_request?.iid : object_attributes?.iid;
  switch (object_kind ?? event_name) {
    case 'merge_request':
    case 'note':
      return repository && number ? [{ kind: 'pull_request', repository, number }] : [];
    case 'push':
      return repository ? [{ kind: 'push', repository }] : [];
    case 'pipeline':
    case 'build': {
      const commit = object_kind === 'pipeline' ? object_attributes?.sha : payload.sha;
      return repository && commit ? [{ kind: 'statuses', repository, commit }] : [];
    }
    default:
      break;
  }
  // Hooks of groups and of the whole server.
  if (/^user_.*_(team|group)$/.test(event_name ?? '')) return [{ kind: 'access', repository }];
  if (/^(project|group|subgroup)_/.test(event_name ?? ''))
    return [{ kind: 'repositories' }, { kind: 'access', repository: null }];
  return [];
}
