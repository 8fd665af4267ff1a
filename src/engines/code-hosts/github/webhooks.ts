/** GitHub's webhooks: the signature, and which things a payload says have changed. */
import { z } from 'zod';
import { commitShape, idShape, numberShape, repositoryNameShape } from '../payload-shapes.ts';
import type { WebhookChange, WebhookReader } from '../port.ts';
import { headerOf, isHexSignature } from '../signature.ts';

const PREFIX = 'sha256=';

const payloadShape = z.object({
  repository: z.object({ id: idShape, full_name: repositoryNameShape }).nullish().catch(null),
  pull_request: z.object({ number: numberShape }).nullish().catch(null),
  issue: z.object({ number: numberShape, pull_request: z.unknown().optional() }).nullish().catch(null),
  sha: commitShape.nullish().catch(null),
  check_run: z.object({ head_sha: commitShape }).nullish().catch(null),
  check_suite: z.object({ head_sha: commitShape }).nullish().catch(null),
});

type Payload = z.output<typeof payloadShape>;

/** The events that ask us to read something again. A webhook is registered for these. */
export const GITHUB_EVENTS = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
  'push',
  'status',
  'check_run',
  'check_suite',
  'member',
  'public',
  'repository',
  'team_add',
] as const;

/** Adds events of organizations, which only an App receives. */
export const GITHUB_APP_EVENTS = [...GITHUB_EVENTS, 'membership', 'organization', 'team'] as const;

export const githubWebhooks: WebhookReader = {
  isSigned: (headers) => headerOf(headers, 'x-hub-signature-256') !== '',
  verify(headers, body, secret) {
    const signature = headerOf(headers, 'x-hub-signature-256');
    return signature.startsWith(PREFIX) && isHexSignature(signature.slice(PREFIX.length), secret, body);
  },
  read(headers, payload) {
    const parsed = payloadShape.safeParse(payload);
    return parsed.success ? changesOf(headerOf(headers, 'x-github-event'), parsed.data) : [];
  },
};

function changesOf(event: string, payload: Payload): WebhookChange[] {
  const { check_run, check_suite, issue, pull_request, repository: named, sha } = payload;
  const repository = named ? { id: named.id?.toString() ?? null, fullName: named.full_name } : null;
  switch (event) {
    case 'pull_request':
    case 'pull_request_review':
    case 'pull_request_review_comment':
    case 'pull_request_review_thread':
      return repository && pull_request
        ? [{ kind: 'pull_request', repository, number: pull_request.number }]
        : [];
    case 'issue_comment':
      return repository && issue?.pull_request
        ? [{ kind: 'pull_request', repository, number: issue.number }]
        : [];
    case 'push':
      return repository ? [{ kind: 'push', repository }] : [];
    case 'status':
    case 'check_run':
    case 'check_suite': {
      const commit = event === 'status' ? sha : (event === 'check_run' ? check_run : check_suite)?.head_sha;
      return repository && commit ? [{ kind: 'statuses', repository, commit }] : [];
    }
    case 'member':
    case 'membership':
    case 'organization':
    case 'team':
    case 'team_add':
      return [{ kind: 'access', repository }];
    // Renamed, transferred, deleted, archived; made public or private.
    case 'repository':
    case 'public':
      return [{ kind: 'repositories' }, { kind: 'access', repository }];
    case 'installation':
    case 'installation_repositories':
    case 'installation_target':
      return [{ kind: 'repositories' }, { kind: 'access', repository: null }];
    default:
      return [];
  }
}
