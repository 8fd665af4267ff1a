/** What every adapter must do, against the fake of its host. Differences of the hosts are arguments. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HostEnvironment } from '../../src/engines/code-hosts/environment.ts';
import {
  type CodeHost,
  type Connection,
  createCodeHosts,
  HostError,
} from '../../src/engines/code-hosts/index.ts';
import { type FakeAccount, FakeModel, type FakePullRequest, type FakeRepository } from './fake-model.ts';
import type { FakeServer } from './fake-server.ts';

export const HEAD = 'a'.repeat(40);
export const TOKEN = 'token-of-the-service';

/** A clock that only moves when somebody waits. */
export function testEnvironment(): HostEnvironment & { slept: number[]; advance(ms: number): void } {
  let now = Date.now();
  const slept: number[] = [];
  return {
    allowPrivateAddresses: true,
    clock: { now: () => new Date(now) },
    sleep: (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    slept,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

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
  /** What an account of a program is called; null if the host doesn't tell them apart. */
  botLogin: string | null;
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

  describe('repositories', () => {
    it('lists what the credential can read, page by page', async () => {
      const { host, model } = suite;
      for (let index = 0; index < 120; index += 1)
        model.grant(model.repository(`acme/r${index}`), suite.bot.login, 'read');
      model.repository('acme/hidden');
      const names: string[] = [];
      let page: string | null | undefined;
      while (page !== null) {
        const found = await host.repositories(page ?? undefined);
        names.push(...found.items.map((one) => one.fullName));
        page = found.next;
      }
      expect(names).toHaveLength(121);
      expect(new Set(names)).toEqual(
        new Set([fullName, ...Array.from({ length: 120 }, (_, index) => `acme/r${index}`)]),
      );
    });

    it('describes one', async () => {
      const { fake, host, repository } = suite;
      repository.archived = true;
      expect(await host.repository(fullName)).toEqual({
        id: String(repository.id),
        fullName,
        private: true,
        defaultBranch: 'main',
        cloneUrl: `${fake.url}/${fullName}.git`,
        url: `${fake.url}/${fullName}`,
        archived: true,
        fork: false,
        admin: true,
      });
      repository.private = false;
      expect(await host.repository(fullName)).toMatchObject({ private: false });
    });

    it('names who can read the code, and nobody else', async () => {
      const { host, model, repository } = suite;
      for (let index = 0; index < 130; index += 1) model.grant(repository, `reader${index}`, 'read');
      model.grant(repository, 'grace', 'none');
      const { accounts, truncated } = await host.readers(fullName);
      const logins = [...repository.access].filter(([, access]) => access !== 'none').map(([login]) => login);
      expect(new Set(accounts.map(({ login }) => login))).toEqual(new Set(logins));
      expect(accounts.find(({ login }) => login === 'ada')?.id).toBe(String(suite.ada.id));
      expect(truncated).toBe(false);
    });

    it('says not_found for what the credential cannot see, and for names that no host has', async () => {
      const { host, model } = suite;
      model.repository('acme/hidden');
      for (const name of ['acme/hidden', 'acme/nothing', 'acme', '../acme/api', ''])
        await expect(host.repository(name)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('pull requests', () => {
    it('lists them in order of creation, and the newest changes first until a time', async () => {
      const { host, model, open } = suite;
      const all = Array.from({ length: 130 }, () => open());
      model.close(all[3]!, 'merged');
      const since = model.now();
      model.change(all[100]!, { title: 'newer' });
      model.change(all[5]!, { title: 'newest' });
      const numbers: number[] = [];
      for (let page: string | null | undefined; page !== null; ) {
        const read = await host.pullRequests(fullName, { state: 'all', order: 'created', page });
        if (read.unchanged) throw new Error('there was no earlier reply');
        numbers.push(...read.items.map(({ number }) => number));
        page = read.next;
      }
      expect(numbers).toEqual(all.map(({ number }) => number));
      const recent = await host.pullRequests(fullName, { state: 'all', order: 'updated', since });
      expect(recent).toMatchObject({ items: [{ number: 6, title: 'newest' }, { number: 101 }], next: null });
      const isOpen = await host.pullRequests(fullName, { state: 'open', order: 'updated' });
      expect(isOpen.unchanged ? [] : isOpen.items.map(({ number }) => number)).not.toContain(4);
    });

    it.runIf(options.etags)('says that nothing changed, until something does', async () => {
      const { host, model, open } = suite;
      const pullRequest = open();
      const query = { state: 'all', order: 'updated' } as const;
      const first = await host.pullRequests(fullName, query);
      const etag = first.unchanged ? '' : first.etag!;
      expect(await host.pullRequests(fullName, { ...query, etag })).toEqual({ unchanged: true });
      model.push(pullRequest, 'c'.repeat(40));
      expect(await host.pullRequests(fullName, { ...query, etag })).toMatchObject({
        unchanged: false,
        items: [{ head: { commit: 'c'.repeat(40) } }],
      });
    });

    it('reads one with everything that people see', async () => {
      const { ada, fake, grace, host, model, open, ref, repository } = suite;
      const pullRequest = open({
        title: 'Greet',
        body: 'Says **hello**',
        draft: true,
        labels: ['bug', 'api'],
        requestedReviewers: [grace],
      });
      const approval = model.review(pullRequest, grace, { state: 'approved', body: 'Fine' });
      const read = await host.pullRequest(ref(pullRequest));
      expect(read).toMatchObject({
        id: String(pullRequest.id),
        number: 1,
        title: 'Greet',
        body: 'Says **hello**',
        state: 'draft',
        author: { id: String(ada.id), login: 'ada', bot: false },
        head: { branch: 'feature-1', commit: HEAD, repository: { id: String(repository.id), fullName } },
        base: { branch: 'main' },
        labels: ['bug', 'api'],
        requestedReviewers: [{ login: 'grace' }],
        mergeCommit: null,
        createdAt: pullRequest.createdAt,
        updatedAt: pullRequest.updatedAt,
        mergedAt: null,
        closedAt: null,
      });
      expect(read.url.startsWith(fake.url)).toBe(true);
      expect(read.verdicts).toMatchObject([{ account: { login: 'grace' }, verdict: 'approved' }]);
      expect(approval.state).toBe('approved');
    });

    it('tells the states apart, and forks from the repository', async () => {
      const { host, model, open, ref } = suite;
      const fork = model.repository('linus/api', { fork: true });
      model.grant(fork, suite.bot.login, 'read');
      const [isOpen, merged, closed, fromFork, gone] = [open(), open(), open(), open(), open()];
      model.close(merged, 'merged');
      model.close(closed, 'closed');
      fromFork.head.repository = fork;
      gone.head.repository = null;
      const read = async (one: FakePullRequest) => await host.pullRequest(ref(one));
      expect(await read(isOpen)).toMatchObject({ state: 'open' });
      expect(await read(merged)).toMatchObject({ state: 'merged', mergedAt: merged.mergedAt });
      expect(await read(closed)).toMatchObject({
        state: 'closed',
        closedAt: closed.closedAt,
        mergedAt: null,
      });
      expect(await read(fromFork)).toMatchObject({
        head: { repository: { id: String(fork.id), fullName: 'linus/api' } },
      });
      expect(await read(gone)).toMatchObject({ head: { repository: null, branch: 'feature-5' } });
      model.reopen(closed);
      expect(await read(closed)).toMatchObject({ state: 'open', closedAt: null });
      await expect(host.pullRequest({ repository: fullName, number: 99 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it.runIf(options.changesRequested)('keeps every verdict, oldest first', async () => {
      const { ada, grace, host, model, open, ref } = suite;
      const pullRequest = open({ author: ada });
      model.review(pullRequest, grace, { state: 'changes_requested', body: 'No' });
      const { verdicts } = await host.pullRequest(ref(pullRequest));
      expect(verdicts).toMatchObject([{ account: { login: 'grace' }, verdict: 'changes_requested' }]);
    });
  });

  describe('the discussion', () => {
    it('has threads with their place, comments and state, and general comments apart', async () => {
      const { ada, grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const place = { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 12 } as const;
      const thread = model.startThread(pullRequest, grace, place, 'Why?');
      const removed = model.startThread(
        pullRequest,
        grace,
        { file: 'src/a.ts', side: 'old', startLine: 9, endLine: 9 },
        'Needed!',
      );
      const answer = model.reply(pullRequest, thread, ada, 'Because');
      const general = model.comment(pullRequest, ada, 'Ready');
      model.resolve(pullRequest, removed, ada);
      const { conversation, threads, truncated } = await host.discussion(ref(pullRequest));
      expect(truncated).toBe(false);
      expect(threads).toMatchObject([
        {
          file: 'src/a.ts',
          side: 'new',
          startLine: options.ranges ? 10 : 12,
          endLine: 12,
          commit: HEAD,
          resolved: false,
          resolvedBy: null,
          comments: [
            {
              kind: 'thread',
              id: String(thread.comments[0]!.id),
              author: { id: String(grace.id), login: 'grace', bot: false },
              body: 'Why?',
              createdAt: thread.comments[0]!.createdAt,
            },
            { id: String(answer.id), author: { login: 'ada' }, body: 'Because', updatedAt: answer.updatedAt },
          ],
        },
        { side: 'old', startLine: 9, endLine: 9, resolved: true, resolvedBy: { login: 'ada' } },
      ]);
      expect(conversation).toMatchObject([
        { kind: 'conversation', id: String(general.id), body: 'Ready', author: { login: 'ada' } },
      ]);
    });

    it('is whole when it is long', async () => {
      const { ada, grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const place = { file: 'src/b.ts', side: 'new', startLine: 1, endLine: 1 } as const;
      const threads = Array.from({ length: 60 }, (_, index) =>
        model.startThread(
          pullRequest,
          grace,
          { ...place, startLine: index + 1, endLine: index + 1 },
          `t${index}`,
        ),
      );
      for (let index = 0; index < 130; index += 1) {
        model.reply(pullRequest, threads[0]!, ada, `r${index}`);
        model.comment(pullRequest, ada, `c${index}`);
      }
      const read = await host.discussion(ref(pullRequest));
      expect(read.threads).toHaveLength(60);
      expect(read.threads[0]!.comments).toHaveLength(131);
      expect(read.conversation).toHaveLength(130);
    });

    it.runIf(options.fileComments)('knows comments on a whole file', async () => {
      const { grace, host, model, open, ref } = suite;
      const pullRequest = open();
      model.startThread(
        pullRequest,
        grace,
        { file: 'src/a.ts', side: 'new', startLine: 0, endLine: 0 },
        'Split it',
      );
      const { threads } = await host.discussion(ref(pullRequest));
      expect(threads).toMatchObject([{ file: 'src/a.ts', startLine: 0, endLine: 0 }]);
    });

    it.runIf(options.botLogin !== null)('marks bots', async () => {
      const { host, model, open, ref } = suite;
      const pullRequest = open();
      const robot = model.account(options.botLogin!, { bot: true });
      model.comment(pullRequest, robot, 'beep');
      const { conversation } = await host.discussion(ref(pullRequest));
      expect(conversation).toMatchObject([{ author: { login: options.botLogin, bot: true } }]);
    });
  });

  describe('writing', () => {
    const line = (key: string, file: string, number: number) =>
      ({ key, file, side: 'new', startLine: number, endLine: number, body: `about ${key}` }) as const;

    it('publishes one review with its comments', async () => {
      const { bot, host, model, open, ref } = suite;
      const pullRequest = open();
      const published = await host.publish(ref(pullRequest), {
        commit: HEAD,
        body: 'Two things',
        verdict: 'comment',
        comments: [
          { ...line('range', 'src/a.ts', 12), startLine: 10 },
          { ...line('old', 'src/a.ts', 9), side: 'old' },
          line('other', 'src/b.ts', 1),
        ],
      });
      expect(published.comments).toMatchObject([
        { key: 'range', placed: 'lines' },
        { key: 'old', placed: 'lines' },
        { key: 'other', placed: 'lines' },
      ]);
      const made = pullRequest.threads.map(({ comments, endLine, file, side, startLine }) => {
        const [first] = comments;
        return { body: first!.body, author: first!.author.login, file, side, startLine, endLine };
      });
      const author = bot.login;
      expect(made).toEqual([
        {
          body: 'about range',
          author,
          file: 'src/a.ts',
          side: 'new',
          startLine: options.ranges ? 10 : 12,
          endLine: 12,
        },
        { body: 'about old', author, file: 'src/a.ts', side: 'old', startLine: 9, endLine: 9 },
        { body: 'about other', author, file: 'src/b.ts', side: 'new', startLine: 1, endLine: 1 },
      ]);
      if (options.publishedIds)
        expect(published.comments.map(({ commentId }) => commentId)).toEqual(
          pullRequest.threads.map(({ comments }) => String(comments[0]!.id)),
        );
      const { threads } = await host.discussion(ref(pullRequest));
      expect(threads.map(({ comments }) => comments[0]!.body)).toEqual([
        'about range',
        'about old',
        'about other',
      ]);
      expect(model.repositories[0]!.pullRequests[0]!.reviews.every(({ state }) => state !== 'pending')).toBe(
        true,
      );
    });

    it('moves a comment outside the diff to the file, then into the body, and loses none', async () => {
      const { host, open, ref } = suite;
      const pullRequest = open();
      const published = await host.publish(ref(pullRequest), {
        commit: HEAD,
        body: 'Summary',
        verdict: 'comment',
        comments: [
          line('in', 'src/a.ts', 11),
          line('outside', 'src/a.ts', 500),
          line('elsewhere', 'src/none.ts', 3),
        ],
      });
      expect(published.comments.map(({ key, placed }) => [key, placed])).toEqual([
        ['in', 'lines'],
        ['outside', options.fileComments ? 'file' : 'body'],
        ['elsewhere', 'body'],
      ]);
      const texts = [
        ...pullRequest.reviews.map(({ body }) => body),
        ...pullRequest.comments.map(({ body }) => body),
        ...pullRequest.threads.flatMap(({ comments }) => comments.map(({ body }) => body)),
      ].join('\n');
      for (const text of ['Summary', 'about in', 'about outside', 'about elsewhere', 'src/none.ts'])
        expect(texts.split(text)).toHaveLength(2);
    });

    it('approves and requests changes', async () => {
      const { bot, host, open, ref } = suite;
      const pullRequest = open();
      const batch = { commit: HEAD, body: 'For Ada', comments: [] };
      await host.publish(ref(pullRequest), { ...batch, verdict: 'approve' });
      expect(pullRequest.reviews.at(-1)).toMatchObject({ state: 'approved', author: bot });
      if (!options.changesRequested) return;
      await host.publish(ref(pullRequest), { ...batch, verdict: 'request_changes' });
      expect(pullRequest.reviews.at(-1)).toMatchObject({ state: 'changes_requested', author: bot });
    });

    it('replies in a thread, comments, and edits both', async () => {
      const { grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const thread = model.startThread(
        pullRequest,
        grace,
        { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 },
        'Why?',
      );
      const { threads } = await host.discussion(ref(pullRequest));
      const reply = await host.reply(ref(pullRequest), threads[0]!.id, 'Because');
      const comment = await host.comment(ref(pullRequest), 'General');
      const bodies = async () => {
        const read = await host.discussion(ref(pullRequest));
        return [
          read.threads.map(({ comments }) => comments.map(({ body }) => body)),
          read.conversation.map(({ body }) => body),
        ];
      };
      expect(await bodies()).toEqual([[['Why?', 'Because']], ['General']]);
      await host.edit(ref(pullRequest), reply, 'Because of this');
      await host.edit(ref(pullRequest), comment, 'In general');
      expect(await bodies()).toEqual([[['Why?', 'Because of this']], ['In general']]);
      expect(thread.resolvedBy).toBeNull();
      await expect(host.reply(ref(pullRequest), 'no-such-thread', 'x')).rejects.toBeInstanceOf(HostError);
    });

    it('resolves and reopens a thread', async () => {
      const { bot, grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const thread = model.startThread(
        pullRequest,
        grace,
        { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 },
        'Why?',
      );
      const { threads } = await host.discussion(ref(pullRequest));
      await host.setResolved(ref(pullRequest), threads[0]!.id, true);
      expect(thread.resolvedBy).toBe(bot);
      expect((await host.discussion(ref(pullRequest))).threads).toMatchObject([
        { resolved: true, resolvedBy: { login: bot.login } },
      ]);
      await host.setResolved(ref(pullRequest), threads[0]!.id, false);
      expect(thread.resolvedBy).toBeNull();
    });

    it('keeps one summary, found by its marker, and never touches the comment of another', async () => {
      const { grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const marker = '<!-- countersign:summary:1 -->';
      const copy = model.comment(pullRequest, grace, `quoting ${marker}`);
      const summary = (commentId: string | null, text: string) =>
        host.setSummary(ref(pullRequest), { commentId, marker, body: `${text}\n${marker}` });
      const first = await summary(null, 'one');
      expect(await summary(null, 'two')).toEqual(first);
      expect(await summary(first.id, 'three')).toEqual(first);
      expect(pullRequest.comments.map(({ body }) => body)).toEqual([copy.body, `three\n${marker}`]);
      model.remove(pullRequest, pullRequest.comments[1]!);
      const again = await summary(first.id, 'four');
      expect(again).not.toEqual(first);
      expect(pullRequest.comments.map(({ body }) => body)).toEqual([copy.body, `four\n${marker}`]);
    });

    it('shows the result on the commit, once per name', async () => {
      const { host, repository } = suite;
      const check = {
        name: 'Countersign',
        title: 'Looking',
        text: '**Details**',
        url: 'https://cs.example/r/1',
      } as const;
      await host.setCheck(fullName, HEAD, { ...check, state: 'pending' });
      for (const state of ['success', 'failure', 'neutral', 'error'] as const)
        await host.setCheck(fullName, HEAD, { ...check, state, title: state });
      expect(repository.statuses).toHaveLength(1);
      expect(repository.statuses[0]).toMatchObject({
        commit: HEAD,
        name: 'Countersign',
        url: check.url,
        title: 'error',
      });
    });

    it('creates the webhook once, and corrects it', async () => {
      const { host, repository } = suite;
      const hook = { url: 'https://cs.example/webhooks/1', secret: 'first' };
      repository.hooks.push({ id: 1, url: 'https://other.example', secret: 'x', events: [] });
      expect(await host.ensureWebhook(fullName, hook)).toBe('created');
      expect(await host.ensureWebhook(fullName, { ...hook, secret: 'second' })).toBe('updated');
      expect(repository.hooks).toMatchObject([
        { url: 'https://other.example' },
        { url: hook.url, secret: 'second' },
      ]);
    });
  });

  describe('webhooks', () => {
    it('are verified, and name what changed, whatever the event', async () => {
      const { ada, fake, grace, host, model, open, repository } = suite;
      await host.ensureWebhook(fullName, { url: 'https://cs.example/webhooks/1', secret: 'shared secret' });
      const reader = createCodeHosts(suite.environment).webhooks(options.kind);
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
      model.close(pullRequest, 'merged');
      expect(fake.deliveries.length).toBeGreaterThan(5);
      for (const { body, headers } of fake.deliveries) {
        const raw = Buffer.from(body);
        expect(reader.verify(headers, raw, 'shared secret')).toBe(true);
        expect(reader.verify(headers, raw, 'another secret')).toBe(false);
        expect(reader.verify(headers, raw, '')).toBe(false);
        const hint = reader.read(headers, JSON.parse(body));
        expect(hint.deliveryId).toBeTruthy();
        expect([
          { kind: 'pull_request', repository: fullName, number: 1 },
          { kind: 'push', repository: fullName },
        ]).toContainEqual(hint.changes[0]);
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

/** One event of a pull request's life, as far as it is possible at that moment. */
export function play(
  model: FakeModel,
  pullRequest: FakePullRequest,
  { act, text, which, who }: { act: string; text: string; which: number; who: string },
): void {
  const account = model.account(who);
  const thread = pullRequest.threads[which % Math.max(1, pullRequest.threads.length)];
  const comments = [...pullRequest.comments, ...pullRequest.threads.flatMap((one) => one.comments)];
  const comment = comments[which % Math.max(1, comments.length)];
  const isOpen = pullRequest.state === 'open';
  if (act === 'thread') {
    // Gitea joins threads on the same line.
    const line = pullRequest.threads.reduce((max, { endLine }) => Math.max(max, endLine), 0) + 1;
    model.startThread(
      pullRequest,
      account,
      { file: 'src/a.ts', side: 'new', startLine: line, endLine: line },
      text,
    );
  } else if (act === 'comment') model.comment(pullRequest, account, text);
  else if (act === 'reply' && thread) model.reply(pullRequest, thread, account, text);
  else if (act === 'edit' && comment) model.edit(pullRequest, comment, text);
  else if (act === 'remove' && comment) model.remove(pullRequest, comment);
  else if (act === 'resolve' && thread) model.resolve(pullRequest, thread, account);
  else if (act === 'unresolve' && thread) model.resolve(pullRequest, thread, null);
  else if (act === 'push') model.push(pullRequest, which.toString(16).padStart(40, '0'));
  else if (act === 'close' && isOpen) model.close(pullRequest, 'closed');
  else if (act === 'merge' && isOpen) model.close(pullRequest, 'merged');
  else if (act === 'reopen' && pullRequest.state === 'closed') model.reopen(pullRequest);
}
