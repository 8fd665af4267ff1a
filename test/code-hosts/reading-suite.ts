/** Cases of reading that every adapter must pass: repositories, pull requests and their discussion. */
import { describe, expect, it } from 'vitest';
import type { FakeAccount, FakePullRequest } from './fake-model.ts';
import type { Suite, SuiteOptions } from './host-suite.ts';
import { HEAD } from './test-environment.ts';

export function testReading(suite: Suite, options: SuiteOptions, fullName: string): void {
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

    it('says whether it can be merged as far as the host does', async () => {
      const { host, open, ref } = suite;
      const states = ['clean', 'conflicts', 'checking'] as const;
      const read = states.map((merge) => host.pullRequest(ref(open({ merge }))));
      const said = (await Promise.all(read)).map(({ mergeability }) => mergeability);
      // Gitea only says that it can't be merged now.
      expect(said).toEqual(host.kind === 'gitea' ? ['clean', 'blocked', 'blocked'] : states);
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

  it('names who is in a team or group, and says not_found for one that is not there', async () => {
    const { ada, host, model } = suite;
    const others = Array.from({ length: 120 }, (_, index) => model.account(`member${index}`));
    model.team('acme', 'platform', [ada, ...others]);
    const { accounts, truncated } = await host.teamMembers('acme/platform');
    expect([accounts.length, truncated]).toEqual([121, false]);
    expect(accounts).toContainEqual(expect.objectContaining({ id: String(ada.id), login: 'ada' }));
    await expect(host.teamMembers('acme/nothing')).rejects.toMatchObject({ code: 'not_found' });
  });

  describe('statuses of a commit', () => {
    it('are those of people, Apps and CI, once for each name and account, without what was skipped', async () => {
      const { ada, grace, host, model, repository } = suite;
      const set = (name: string, state: string, who: { by?: FakeAccount; app?: string }) =>
        model.setStatus(repository, { commit: HEAD, name, state, title: `It is ${state}`, ...who });
      set('ci/lint', 'pending', { by: ada });
      set('ci/lint', 'success', { by: ada });
      set('ci/deploy', 'error', { by: grace });
      set('test', 'failure', { app: 'actions' });
      set('build', 'pending', { app: 'actions' });
      set('docs', 'skipped', { app: 'actions' });
      model.setStatus(repository, { commit: 'd'.repeat(40), name: 'other', state: 'success', by: ada });
      const read = await host.statuses(fullName, HEAD);
      expect(read).toMatchObject({ truncated: false, unreadable: null });
      expect(read.statuses.map(({ account, name, state }) => `${name} ${state} ${account}`).sort()).toEqual(
        [
          'ci/lint success ada',
          'ci/deploy error grace',
          `test failure ${options.ciAccount}`,
          `build pending ${options.ciAccount}`,
        ].sort(),
      );
      expect(read.statuses.find(({ name }) => name === 'ci/deploy')).toMatchObject({
        description: 'It is error',
        url: null,
      });
      expect((await host.statuses(fullName, 'e'.repeat(40))).statuses).toEqual([]);
    });

    it('are read page by page up to a limit, the worst first', async () => {
      const { ada, fake, host, model, repository } = suite;
      for (let index = 0; index < 110; index += 1)
        model.setStatus(repository, { commit: HEAD, name: `ci/${index}`, state: 'success', by: ada });
      model.setStatus(repository, { commit: HEAD, name: 'broken', state: 'failure', by: ada });
      const read = await host.statuses(fullName, HEAD);
      expect([read.statuses.length, read.truncated, read.statuses[0]!.name]).toEqual([111, false, 'broken']);
      for (let index = 110; index < 1200; index += 1)
        repository.statuses.push({ ...repository.statuses[0]!, name: `ci/${index}`, state: 'success' });
      fake.requests.length = 0;
      const limited = await host.statuses(fullName, HEAD);
      expect([limited.statuses.length, limited.truncated]).toEqual([300, true]);
      expect(fake.requests.length).toBeLessThanOrEqual(12);
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

    it('names who reacted with 👎 to comments that are asked about', async () => {
      const { ada, grace, host, model, open, ref } = suite;
      const pullRequest = open();
      const threads = [10, 11].map((line) =>
        model.startThread(
          pullRequest,
          grace,
          { file: 'src/a.ts', side: 'new', startLine: line, endLine: line },
          `on ${line}`,
        ),
      );
      for (const { comments } of threads)
        comments[0]!.reactions.push({ account: ada, emoji: '👎' }, { account: grace, emoji: '🎉' });
      const { threads: read } = await host.discussion(ref(pullRequest), ({ body }) => body === 'on 11');
      expect(read[1]!.comments[0]!.thumbsDown).toMatchObject([{ id: String(ada.id), login: 'ada' }]);
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
}
