/** GitHub's webhooks: published examples with the model's values in them, signed. */
import { createHmac, randomUUID } from 'node:crypto';
import { type FakeChange, type FakeHook, fullNameOf, repositoryOfChange } from './fake-model.ts';
import type { FakeDelivery } from './fake-server.ts';
import { publishedFile } from './published-file.ts';

type Json = Record<string, unknown>;

let published: { name: string; examples: Json[] }[] | undefined;

/** Every example that GitHub publishes: the event's name and payloads. */
export function githubWebhookExamples(): { name: string; examples: Json[] }[] {
  published ??= JSON.parse(publishedFile('@octokit/webhooks-examples', 'api.github.com/index.json')) as {
    name: string;
    examples: Json[];
  }[];
  return published;
}

const EVENTS: Record<FakeChange['kind'], string> = {
  pull_request: 'pull_request',
  review: 'pull_request_review',
  thread_comment: 'pull_request_review_comment',
  thread: 'pull_request_review_thread',
  comment: 'issue_comment',
  push: 'push',
  access: 'member',
  status: 'status',
};

export function githubDelivery(change: FakeChange, hook: Pick<FakeHook, 'url' | 'secret'>): FakeDelivery {
  const event = change.kind === 'status' && change.status.app ? 'check_run' : EVENTS[change.kind];
  const body = JSON.stringify(payloadOf(event, change));
  return signedGitHubDelivery(event, body, hook);
}

export function signedGitHubDelivery(
  event: string,
  body: string,
  { secret, url }: Pick<FakeHook, 'url' | 'secret'>,
): FakeDelivery {
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}

function payloadOf(event: string, change: FakeChange): Json {
  const { examples } = githubWebhookExamples().find(({ name }) => name === event)!;
  const action = 'action' in change ? change.action : undefined;
  const example = structuredClone(examples.find((one) => one.action === action) ?? examples[0]!);
  const repository = repositoryOfChange(change);
  const named = {
    ...(example.repository as Json),
    id: repository.id,
    full_name: fullNameOf(repository),
    name: repository.name,
  };
  const payload: Json = { ...example, ...(action ? { action } : {}), repository: named };
  if (change.kind === 'status') {
    const sha = change.status.commit;
    return event === 'status'
      ? { ...payload, sha }
      : { ...payload, check_run: { ...(example.check_run as Json), head_sha: sha } };
  }
  if (!('pullRequest' in change)) return payload;
  const { number } = change.pullRequest;
  if (event === 'issue_comment')
    return {
      ...payload,
      issue: { ...(example.issue as Json), number, pull_request: { url: 'https://github.example' } },
    };
  return {
    ...payload,
    pull_request: { ...(example.pull_request as Json), number },
    ...('number' in example ? { number } : {}),
  };
}
