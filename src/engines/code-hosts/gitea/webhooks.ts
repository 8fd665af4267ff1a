/** Webhooks of Gitea and Forgejo: the signature, and which things a payload says have changed. */
import { z } from 'zod';
import { commitShape, idShape, numberShape, repositoryNameShape } from '../payload-shapes.ts';
import type { WebhookChange, WebhookHeaders, WebhookReader } from '../port.ts';
import { headerOf, isHexSignature } from '../signature.ts';

const payloadShape = z.object({
  repository: z.object({ id: idShape, full_name: repositoryNameShape }).nullish().catch(null),
  pull_request: z.object({ number: numberShape }).nullish().catch(null),
  issue: z.object({ number: numberShape, pull_request: z.unknown().optional() }).nullish().catch(null),
  is_pull: z.boolean().nullish().catch(null),
  sha: commitShape.nullish().catch(null),
});

/** `pull_request` covers reviews and comments too; the others are for servers where it doesn't. Older servers don't know `status`. */
export const GITEA_EVENTS = [
  'push',
  'pull_request',
  'pull_request_sync',
  'pull_request_comment',
  'pull_request_review',
  'status',
  'repository',
] as const;

export const giteaWebhooks: WebhookReader = {
  isSigned: (headers) => either(headers, 'signature') !== '',
  verify: (headers, body, secret) => isHexSignature(either(headers, 'signature'), secret, body),
  read(headers, payload) {
    const parsed = payloadShape.safeParse(payload);
    return parsed.success ? changesOf(either(headers, 'event'), parsed.data) : [];
  },
};

/** Forgejo sends both names; older versions and Gitea only Gitea's. */
function either(headers: WebhookHeaders, name: string): string {
  return headerOf(headers, `x-forgejo-${name}`) || headerOf(headers, `x-gitea-${name}`);
}

function changesOf(event: string, payload: z.output<typeof payloadShape>): WebhookChange[] {
  const { is_pull, issue, pull_request, repository: named, sha } = payload;
  if (!named) return [];
  const repository = { id: named.id?.toString() ?? null, fullName: named.full_name };
  if (event === 'push') return [{ kind: 'push', repository }];
  if (event === 'status') return sha ? [{ kind: 'statuses', repository, commit: sha }] : [];
  if (event === 'repository') return [{ kind: 'repositories' }, { kind: 'access', repository }];
  if (!event.startsWith('pull_request') && event !== 'issue_comment') return [];
  const number = pull_request?.number ?? (is_pull || issue?.pull_request ? issue?.number : undefined);
  return number === undefined ? [] : [{ kind: 'pull_request', repository, number }];
}
