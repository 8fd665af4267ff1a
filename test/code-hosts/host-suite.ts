/** Cases that every adapter must pass, against the fake of its host. Differences of the hosts are arguments. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CodeHost,
  type Connection,
  createCodeHosts,
  HostError,
  type WebhookHeaders,
} from '../../src/engines/code-hosts/index.ts';
import { readWebhooks } from '../../src/engines/code-hosts/read-webhooks.ts';
import { play } from './fake-life.ts';
import { type FakeAccount, FakeModel, type FakePullRequest, type FakeRepository } from './fake-model.ts';
import type { FakeServer } from './fake-server.ts';
import { testReading } from './reading-suite.ts';
import { HEAD, TOKEN, testEnvironment } from './test-environment.ts';
import { testWriting } from './writing-suite.ts';

export interface SuiteOptions {
  kind: Connection['kind'];
  /** Starts the fake; TOKEN belongs to the account. */
  start(model: FakeModel, account: FakeAccount): Promise<FakeServer>;
  connection(url: string): Connection;
  /** A name with as many parts as the host allows. */
  fullName?: string;
  /** Ranges of lines are kept; else only the last line. */
  ranges: boolean;
  fileComments: boolean;
  etags: boolean;
  /** The host says who requested changes. */
  changesRequested: boolean;
  /** The login of a program's account; null if the host doesn't tell them apart. */
  botLogin: string | null;
  /** Whom the host names for what its CI, or an App called `actions`, says. */
  ciAccount: string;
  /** Comments on lines can be deleted. */
  removesFromThreads: boolean;
  /** Comments that are published together get their ids at once. */
  publishedIds: boolean;
}

export interface Suite {
  model: FakeModel;
  fake: FakeServer;
  host: CodeHost;
  environment: ReturnType<typeof testEnvironment>;
  repository: FakeRepository;
  bot: FakeAccount;
  ada: FakeAccount;
  grace: FakeAccount;
  open(options?: Partial<FakePullRequest>): FakePullRequest;
  ref(pullRequest: FakePullRequest): { repository: string; number: number };
}

/** Declares the tests and returns what they use, for tests of one host alone. */
export function testCodeHost(options: SuiteOptions): Suite {
  const fullName = options.fullName ?? 'acme/api';
  const suite = {} as Suite;

  beforeAll(async () => {
    suite.model = new FakeModel();
    suite.bot = suite.model.account('countersign-bot');
    suite.fake = await options.start(suite.model, suite.bot);
    suite.fake.tokens.set(TOKEN, suite.bot);
    suite.ada = suite.model.account('ada');
    suite.grace = suite.model.account('grace');
  });
  afterAll(() => suite.fake.close());
  beforeEach(() => {
    const { model } = suite;
    model.repositories.length = 0;
    suite.repository = model.repository(fullName);
    model.grant(suite.repository, suite.bot.login, 'admin');
    model.grant(suite.repository, 'ada', 'write');
    suite.environment = testEnvironment();
    suite.host = createCodeHosts(suite.environment).open(options.connection(suite.fake.url));
    suite.open = (some = {}) =>
      model.openPullRequest(suite.repository, {
        author: suite.ada,
        commit: HEAD,
        diff: { 'src/a.ts': { new: [10, 11, 12], old: [9, 10] }, 'src/b.ts': { new: [1], old: [] } },
        ...some,
      });
    suite.ref = ({ number }) => ({ repository: fullName, number });
    suite.fake.limit = null;
    suite.fake.requests.length = 0;
    suite.fake.deliveries.length = 0;
  });
  afterEach(() => {
    suite.fake.intercept(null);
    expect(suite.fake.problems.splice(0)).toEqual([]);
  });

  testReading(suite, options, fullName);
  testWriting(suite, options, fullName);

  describe('webhooks', () => {
    it('are verified, and name what changed, whatever the event', async () => {
      const { ada, fake, grace, host, model, open, repository } = suite;
      await host.ensureWebhook(fullName, { url: 'https://cs.example/webhooks/1', secret: 'shared secret' });
      const read = (headers: WebhookHeaders, body: Buffer, secret: string) =>
        readWebhooks([{ kind: options.kind, secret, headers, body }]);
      const pullRequest = open();
      const thread = model.startThread(
        pullRequest,
        grace,
        { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 },
        'Why?',
      );
      model.edit(pullRequest, model.reply(pullRequest, thread, ada, 'Because'), 'Because!');
      model.remove(pullRequest, model.comment(pullRequest, ada, 'Hm'));
      model.review(pullRequest, grace, { state: 'approved' });
      model.resolve(pullRequest, thread, ada);
      model.push(pullRequest, 'c'.repeat(40));
      model.setStatus(repository, { commit: HEAD, name: 'ci', state: 'success', by: ada });
      model.close(pullRequest, 'merged');
      const named = { id: String(repository.id), fullName };
      expect(fake.deliveries.length).toBeGreaterThan(5);
      for (const { body, headers } of fake.deliveries) {
        const raw = Buffer.from(body);
        expect(read(headers, raw, 'another secret')).toEqual([null]);
        expect(read(headers, raw, '')).toEqual([null]);
        const [changes] = read(headers, raw, 'shared secret');
        expect([
          { kind: 'pull_request', repository: named, number: 1 },
          { kind: 'push', repository: named },
          { kind: 'statuses', repository: named, commit: HEAD },
        ]).toContainEqual(changes?.[0]);
      }
      expect(repository.hooks).toHaveLength(1);
    });
  });

  it('links a person by signing in: the account of the code, once, and no secret in errors', async () => {
    const { ada, environment, fake } = suite;
    const application = {
      kind: options.kind,
      url: `${fake.url}/`,
      clientId: 'id',
      clientSecret: 'secret of the app',
    };
    const signIn = createCodeHosts(environment).signIn(application);
    const request = { redirectUri: 'https://cs.example/linked', state: 's', codeChallenge: 'c' };
    const url = new URL(signIn.authorizeUrl(request));
    expect(url.origin).toBe(fake.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'id',
      redirect_uri: 'https://cs.example/linked',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
    fake.signInCodes.set('good', ada);
    const reply = { code: 'good', redirectUri: 'https://cs.example/linked', codeVerifier: 'v' };
    expect(await signIn.exchange(reply)).toEqual({
      id: String(ada.id),
      login: 'ada',
      name: ada.name,
      bot: false,
    });
    const error: unknown = await signIn.exchange(reply).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HostError);
    expect((error as HostError).code).toBe('unauthorized');
    expect(String(error)).not.toContain('secret of the app');
  });

  describe('failures', () => {
    it('stop at the rate limit with the time when to go on', async () => {
      const { environment, fake, host } = suite;
      const reset = Math.ceil(environment.clock.now().getTime() / 1000) + 900;
      const prefix = options.kind === 'gitlab' ? 'ratelimit' : 'x-ratelimit';
      const headers = (remaining: number) => ({
        [`${prefix}-remaining`]: String(remaining),
        [`${prefix}-reset`]: String(reset),
      });
      fake.limit = { remaining: 2, headers, status: options.kind === 'github' ? 403 : 429 };
      await host.repository(fullName);
      await host.repository(fullName);
      await expect(host.repository(fullName)).rejects.toMatchObject({
        code: 'rate_limited',
        until: new Date(reset * 1000),
      });
      expect(fake.requests).toHaveLength(2);
    });

    it('says unauthorized once the token is revoked, and names no token', async () => {
      const { fake, host, repository } = suite;
      fake.tokens.delete(TOKEN);
      const error: unknown = await host.repository(fullName).catch((reason: unknown) => reason);
      fake.tokens.set(TOKEN, suite.bot);
      expect(error).toMatchObject({ code: 'unauthorized', status: 401 });
      expect(`${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(TOKEN);
      expect(repository.id).toBeGreaterThan(0);
    });

    it('names the field of a reply that does not fit', async () => {
      const { fake, host } = suite;
      fake.intercept((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"seven"}');
        return true;
      });
      await expect(host.repository(fullName)).rejects.toMatchObject({
        code: 'unexpected_reply',
        field: 'id',
      });
    });
  });

  it('reads the same as the host has, after any life of a pull request', async () => {
    const event = fc.record({
      act: fc.constantFrom(
        'thread',
        'reply',
        'comment',
        'edit',
        'remove',
        'resolve',
        'unresolve',
        'push',
        'close',
        'merge',
        'reopen',
      ),
      who: fc.constantFrom('ada', 'grace'),
      which: fc.nat(20),
      text: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 15 }), async (events) => {
        const { host, model, open, ref } = suite;
        const pullRequest = open();
        for (const { act, text, which, who } of events) play(model, pullRequest, { act, text, which, who });
        const [read, details] = await Promise.all([
          host.discussion(ref(pullRequest)),
          host.pullRequest(ref(pullRequest)),
        ]);
        expect(details).toMatchObject({
          state: pullRequest.state,
          head: { commit: pullRequest.head.commit },
        });
        expect(
          read.threads.map((one) => ({
            resolved: one.resolved,
            line: one.endLine,
            comments: one.comments.map(({ author, body }) => `${author?.login}: ${body}`),
          })),
        ).toEqual(
          pullRequest.threads.map((one) => ({
            resolved: one.resolvedBy !== null,
            line: one.endLine,
            comments: one.comments.map(({ author, body }) => `${author.login}: ${body}`),
          })),
        );
        expect(read.conversation.map(({ body }) => body)).toEqual(
          pullRequest.comments.map(({ body }) => body),
        );
      }),
      { numRuns: 30 },
    );
  });

  return suite;
}
