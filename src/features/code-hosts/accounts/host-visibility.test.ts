/**
 * Nobody sees anything of what they can't read on the host: generated permissions, links and visibilities are played on a fake
 * host, and then real operations are called for everyone. Each repository has a word of its own in its name, code, pull
 * request, discussion and inbox items; a reply that contains the word has revealed it.
 */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { makeDiscussion } from '../../../../test/helpers/rows/discussions.ts';
import { makePullRequest } from '../../../../test/helpers/rows/pull-requests.ts';
import { startConnectedHosts } from '../../../../test/helpers/service/connected-hosts.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { lockIdlePullRequests } from '../../pull-requests/index.ts';
import { lockIdleCodeHosts } from '../connections/host-health-store.ts';

const WORDS = ['amber', 'birch', 'coral'] as const;
type Word = (typeof WORDS)[number];
const LOGINS = ['ada', 'grace'] as const;

const parent = await makeRepository({}, { name: 'unused.git' });
afterAll(() => parent.remove());
for (const word of WORDS)
  await makeRepository({ 'src/a.txt': `${word}\n` }, { name: `team/${word}.git`, parent: parent.parent });
const hosts = await startConnectedHosts({ gitFolder: parent.parent });
const { acme, clock, connect, db, gitea, checkNow, mirrors, onGitea, run } = hosts;
const people: Person[] = [acme.member, acme.viewer];
const signal = AbortSignal.timeout(120_000);

const codeHostId = await connect();
const repositories = new Map<Word, { id: string; pullRequestId: string; head: string }>();
for (const word of WORDS) {
  onGitea(`team/${word}`, { private: false, readers: [...LOGINS] });
  const { added } = await run('add-host-repositories', { codeHostId, names: [`team/${word}`] });
  const id = added[0].repositoryId;
  await mirrors.refresh(id, { onlyWhenDue: false, signal });
  const head = (await run('get-repository', { repositoryId: id })).headCommit;
  const made = await makePullRequest(
    hosts,
    { id },
    { title: `Change ${word}`, headBranch: `of-${word}`, headCommit: head },
  );
  await makeDiscussion(db, { organizationId: acme.id, repositoryId: id, pullRequestId: made.id }, [
    { body: `About ${word}` },
  ]);
  repositories.set(word, { id, pullRequestId: made.id, head });
}
await checkNow(codeHostId);
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log: createLog({ level: 'silent', terminal: false }),
});
// Everyone is asked for a review while everything is public, so that their inboxes know of all repositories.
for (const { pullRequestId } of repositories.values()) {
  await run('request-pull-request-review', { pullRequestId, userIds: people.map(({ userId }) => userId) });
}
await outbox.run(db, clock.now());

/** Everything that the service tells this person about a repository. */
async function toldOf(word: Word, person: Person): Promise<string[]> {
  const { id, pullRequestId } = repositories.get(word)!;
  const repository = `team/${word}`;
  const get = (path: string) => ['GET', path] as const;
  const post = (path: string, body: unknown) => ['POST', path, body] as const;
  const pull = `/api/v2/pull-requests/${pullRequestId}`;
  const requests = [
    get('/api/v2/repositories'),
    get(`/api/v2/repositories/${id}`),
    get(`/api/v2/repositories/${id}/refs`),
    get(`/api/v2/remote-fs/tree?repository=${repository}`),
    get(`/api/v2/remote-fs/file?repository=${repository}&path=src/a.txt`),
    get(`/api/v2/remote-fs/file-search?repository=${repository}&pattern=*`),
    post('/api/v2/remote-fs/search', { repository, pattern: word }),
    get('/api/v2/pull-requests?state=all'),
    get(pull),
    get(`${pull}/discussions`),
    get(`${pull}/activity`),
    get(`${pull}/commits`),
    get(`${pull}/files`),
    get(`/api/v2/discussions/branch-review?repository=${repository}&branch=of-${word}`),
    get('/api/v2/inbox'),
  ];
  const keyed = [
    post('/api/v2/remote-fs/grep', { repository, pattern: '', path: '' }),
    get(`/api/v2/discussions/by-branch?repository=${repository}&branch=of-${word}`),
  ];
  const answers = await Promise.all([
    ...requests.map(([method, path, body]) => hosts.request(method, path, { as: withSession(person), body })),
    ...keyed.map(([method, path, body]) => hosts.request(method, path, { as: withKey(person), body })),
  ]);
  const paths = [...requests, ...keyed].map(([, path]) => path);
  return paths.filter((_, index) => {
    const { body, status } = answers[index]!;
    // Errors repeat what the caller sent, so they reveal nothing.
    return status < 300 && JSON.stringify(body).includes(word);
  });
}

/** Replies that always contain the word for someone who may see the repository. */
const ALWAYS = [
  '/api/v2/repositories',
  '/api/v2/remote-fs/search',
  '/api/v2/remote-fs/grep',
  '/api/v2/pull-requests?state=all',
  '/api/v2/inbox',
];

type Step =
  | { kind: 'grant'; word: Word; login: string; access: 'none' | 'read' | 'write' }
  | { kind: 'private'; word: Word; private: boolean }
  | { kind: 'link'; login: string; person: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      word: fc.constantFrom(...WORDS),
      login: fc.constantFrom(...LOGINS),
      access: fc.constantFrom('none' as const, 'read' as const, 'write' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('private' as const),
      word: fc.constantFrom(...WORDS),
      private: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      login: fc.constantFrom(...LOGINS),
      person: fc.constantFrom(0, 1, null),
    }),
  },
);

const links = new Map<string, Person | null>();
async function take(one: Step): Promise<void> {
  if (one.kind === 'private') {
    gitea.model.findRepository(`team/${one.word}`)!.private = one.private;
    return;
  }
  if (one.kind === 'grant') {
    gitea.model.grant(gitea.model.findRepository(`team/${one.word}`)!, one.login, one.access);
    return;
  }
  const { accounts } = await run('list-host-accounts', { codeHostId, search: one.login });
  const account = accounts[0];
  if (!account) return;
  if (account.member) await run('unlink-host-account', { codeHostId, accountId: account.id });
  const person = one.person === null ? null : people[one.person]!;
  if (person) await run('link-host-account', { codeHostId, accountId: account.id, userId: person.userId });
  links.set(one.login, person);
}

/** As a webhook does that says that who can read has changed. */
async function readAgain(): Promise<void> {
  await sql`UPDATE code_hosts SET access_asked_at = clock_timestamp(), repositories_asked_at = clock_timestamp()`.execute(
    db,
  );
  await checkNow(codeHostId);
}

function mayRead(word: Word, person: Person): boolean {
  const repository = gitea.model.findRepository(`team/${word}`)!;
  if (!repository.private) return true;
  return LOGINS.some(
    (login) => links.get(login) === person && (repository.access.get(login) ?? 'none') !== 'none',
  );
}

describe('what people are told', () => {
  it('is what they can read on the host, after any permissions, links and visibilities', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        for (const one of steps) await take(one);
        await readAgain();
        for (const person of people) {
          for (const word of WORDS) {
            const told = await toldOf(word, person);
            if (mayRead(word, person)) {
              expect(ALWAYS.filter((path) => !told.includes(path))).toEqual([]);
            } else expect([word, person.name, told]).toEqual([word, person.name, []]);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('stops at once in live streams and waits when access is taken away', async () => {
    const { pullRequestId } = repositories.get('amber')!;
    const repository = gitea.model.findRepository('team/amber')!;
    repository.private = false;
    await readAgain();
    const stop = new AbortController();
    const stream = await fetch(`${hosts.url}/api/v2/pull-requests/${pullRequestId}/events`, {
      headers: { cookie: `countersign=${acme.viewer.token}` },
      signal: stop.signal,
    });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    repository.private = true;
    gitea.model.grant(repository, 'ada', 'none');
    gitea.model.grant(repository, 'grace', 'none');
    await readAgain();
    await run('comment-on-pull-request', { pullRequestId, body: 'Only for readers' });
    // The stream ends, or says nothing more; a later comment would be in what it sent before it ended.
    const last = (await run('list-pull-request-activity', { pullRequestId })).events.at(-1);
    let text = '';
    for (;;) {
      const chunk = await Promise.race([
        reader.read(),
        new Promise<{ done: true; value: undefined }>((done) =>
          setTimeout(done, 3000, { done: true, value: undefined }),
        ),
      ]);
      if (chunk.done) break;
      text += Buffer.from(chunk.value!).toString();
    }
    stop.abort();
    expect(text).not.toContain(last.id ?? last.number);
    expect(text).not.toContain('comment');
    const waited = await hosts.request('GET', `/api/v2/pull-requests/${pullRequestId}/changes?since=0`, {
      as: withSession(acme.viewer),
    });
    expect(waited.status).toBe(404);
  });
});
