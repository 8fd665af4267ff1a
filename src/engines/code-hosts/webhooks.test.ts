/** Webhooks of all hosts: signatures, every example that GitHub publishes, and payloads that nobody would send. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { githubWebhookExamples, signedGitHubDelivery } from '../../../test/code-hosts/github-deliveries.ts';
import { giteaWebhooks } from './gitea/webhooks.ts';
import { githubWebhooks } from './github/webhooks.ts';
import { gitlabWebhooks } from './gitlab/webhooks.ts';
import type { WebhookHeaders } from './port.ts';

const SECRET = 'a shared secret';
const BODY = Buffer.from('{"zen":"Grüße"}');
const hex = (secret: string, body: Uint8Array) => createHmac('sha256', secret).update(body).digest('hex');

const HOSTS = [
  {
    reader: githubWebhooks,
    name: 'x-hub-signature-256',
    sign: (secret: string) => `sha256=${hex(secret, BODY)}`,
  },
  { reader: giteaWebhooks, name: 'x-gitea-signature', sign: (secret: string) => hex(secret, BODY) },
  { reader: giteaWebhooks, name: 'x-forgejo-signature', sign: (secret: string) => hex(secret, BODY) },
  { reader: gitlabWebhooks, name: 'x-gitlab-token', sign: (secret: string) => secret },
];

describe.each(HOSTS)('$name', ({ name, reader, sign }) => {
  const verify = (value: string | string[] | undefined, body: Uint8Array = BODY, secret = SECRET) =>
    reader.verify({ [name]: value } as WebhookHeaders, body, secret);

  it('accepts the right one and nothing else', () => {
    const right = sign(SECRET);
    expect(verify(right)).toBe(true);
    expect(verify(sign('another secret'))).toBe(false);
    expect(verify(right.slice(0, -1))).toBe(false);
    expect(verify(`${right}0`)).toBe(false);
    expect(verify(` ${right}`)).toBe(false);
    expect(verify('')).toBe(false);
    expect(verify('sha256=')).toBe(false);
    expect(verify(undefined)).toBe(false);
    expect(verify([right, right])).toBe(false);
    expect(verify(right, BODY, '')).toBe(false);
    expect(verify(sign(''), BODY, '')).toBe(false);
    if (name !== 'x-gitlab-token') expect(verify(right, Buffer.from(`${BODY.toString()} `))).toBe(false);
  });

  it('never throws on what a stranger sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.uint8Array(), (value, body) => {
        expect(reader.verify({ [name]: value }, body, SECRET)).toBe(false);
      }),
    );
  });
});

describe('examples that GitHub publishes', () => {
  const EVENTS = [
    'pull_request',
    'pull_request_review',
    'pull_request_review_comment',
    'pull_request_review_thread',
  ];
  const read = (event: string, payload: Record<string, unknown>) => {
    const body = JSON.stringify(payload);
    const { headers } = signedGitHubDelivery(event, body, { url: '', secret: SECRET });
    expect(githubWebhooks.verify(headers, Buffer.from(body), SECRET)).toBe(true);
    return githubWebhooks.read(headers, JSON.parse(body));
  };

  it('about pull requests all name their pull request', () => {
    let count = 0;
    for (const { examples, name } of githubWebhookExamples().filter((one) => EVENTS.includes(one.name)))
      for (const example of examples) {
        count += 1;
        const { pull_request, repository } = example as {
          pull_request: { number: number };
          repository: { id: number; full_name: string };
        };
        expect(read(name, example)).toEqual([
          {
            kind: 'pull_request',
            repository: { id: String(repository.id), fullName: repository.full_name },
            number: pull_request.number,
          },
        ]);
      }
    expect(count).toBeGreaterThan(35);
  });

  it('about comments name a pull request only if the issue is one, which in the examples none is', () => {
    const { examples } = githubWebhookExamples().find(({ name }) => name === 'issue_comment')!;
    for (const example of examples) {
      expect(read('issue_comment', example)).toEqual([]);
      const issue = { ...(example.issue as object), pull_request: { url: 'https://github.example' } };
      expect(read('issue_comment', { ...example, issue })).toHaveLength(1);
    }
  });

  it('about statuses, pushes, members and installations say what to read again, and all others nothing', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { examples, name } of githubWebhookExamples())
      for (const example of examples)
        for (const { kind } of read(name, example)) kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
    expect(Object.fromEntries([...kinds].map(([name, found]) => [name, [...found].sort()]))).toEqual({
      check_run: ['statuses'],
      check_suite: ['statuses'],
      installation: ['access', 'repositories'],
      installation_repositories: ['access', 'repositories'],
      member: ['access'],
      membership: ['access'],
      organization: ['access'],
      public: ['access', 'repositories'],
      pull_request: ['pull_request'],
      pull_request_review: ['pull_request'],
      pull_request_review_comment: ['pull_request'],
      pull_request_review_thread: ['pull_request'],
      push: ['push'],
      repository: ['access', 'repositories'],
      status: ['statuses'],
      team: ['access'],
      team_add: ['access'],
    });
  });
});

it('reads hooks of whole GitLab servers and groups', () => {
  const read = (payload: unknown) => gitlabWebhooks.read({ 'x-gitlab-event': 'System Hook' }, payload);
  expect(
    read({ event_name: 'user_add_to_team', project_id: 74, project_path_with_namespace: 'a/b/c' }),
  ).toEqual([{ kind: 'access', repository: { id: '74', fullName: 'a/b/c' } }]);
  expect(read({ event_name: 'user_remove_from_group', group_path: 'a' })).toEqual([
    { kind: 'access', repository: null },
  ]);
  expect(read({ event_name: 'project_rename', path_with_namespace: 'a/new' })).toEqual([
    { kind: 'repositories' },
    { kind: 'access', repository: null },
  ]);
});

it('finds no changes, or well-formed ones, in any JSON', () => {
  const readers = [githubWebhooks, giteaWebhooks, gitlabWebhooks];
  const events = fc.constantFrom(
    'pull_request',
    'issue_comment',
    'push',
    'Note Hook',
    'repository',
    'status',
    'check_run',
  );
  const sha = fc.oneof(fc.constant('a'.repeat(40)), fc.jsonValue());
  const number = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double());
  const shaped = fc.record(
    {
      repository: fc.oneof(
        fc.record({ id: fc.jsonValue(), full_name: fc.oneof(fc.string(), fc.integer()) }),
        fc.jsonValue(),
      ),
      project: fc.oneof(fc.record({ path_with_namespace: fc.string() }), fc.jsonValue()),
      pull_request: fc.oneof(fc.record({ number }), fc.jsonValue()),
      issue: fc.oneof(fc.record({ number, pull_request: fc.jsonValue() }), fc.jsonValue()),
      merge_request: fc.oneof(fc.record({ iid: number }), fc.jsonValue()),
      sha,
      check_run: fc.oneof(fc.record({ head_sha: sha }), fc.jsonValue()),
      object_attributes: fc.oneof(fc.record({ iid: number, sha }), fc.jsonValue()),
      object_kind: fc.oneof(
        fc.constantFrom('merge_request', 'note', 'push', 'pipeline', 'build'),
        fc.jsonValue(),
      ),
      is_pull: fc.oneof(fc.boolean(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(events, fc.oneof(shaped, fc.jsonValue()), (event, payload) => {
      for (const reader of readers) {
        const headers = { 'x-github-event': event, 'x-gitea-event': event, 'x-gitlab-event': event };
        for (const change of reader.read(headers, payload)) {
          if (change.kind === 'pull_request')
            expect(Number.isSafeInteger(change.number) && change.number > 0).toBe(true);
          if (change.kind === 'statuses') expect(change.commit).toMatch(/^[0-9a-f]{40,64}$/);
          if ('repository' in change && change.repository !== null)
            expect(change.repository).toEqual({
              id: expect.toSatisfy((id) => id === null || /^-?\d+$/.test(id as string)),
              fullName: expect.any(String),
            });
        }
      }
    }),
    { numRuns: 500 },
  );
});
