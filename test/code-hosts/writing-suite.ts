/** Cases of writing that every adapter must pass: reviews, replies, resolutions, the summary, checks and webhooks. */
import { describe, expect, it } from 'vitest';
import { HostError } from '../../src/engines/code-hosts/index.ts';
import type { Suite, SuiteOptions } from './host-suite.ts';
import { HEAD } from './test-environment.ts';

export function testWriting(suite: Suite, options: SuiteOptions, fullName: string): void {
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

    it('replaces the description', async () => {
      const { host, open, ref } = suite;
      const pullRequest = open();
      await host.setDescription(ref(pullRequest), 'What it does\n\n- `src/a.ts`');
      expect(pullRequest.body).toBe('What it does\n\n- `src/a.ts`');
      expect((await host.pullRequest(ref(pullRequest))).body).toBe(pullRequest.body);
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

    it('takes back an approval', async () => {
      const { bot, host, open, ref } = suite;
      const pullRequest = open();
      await host.publish(ref(pullRequest), { commit: HEAD, body: 'Fine', comments: [], verdict: 'approve' });
      const ofBot = async () =>
        (await host.pullRequest(ref(pullRequest))).verdicts.filter(
          ({ account, verdict }) => account?.login === bot.login && verdict === 'approved',
        );
      const [approval] = await ofBot();
      await host.dismissReview(ref(pullRequest), approval!.id, 'There are new findings.');
      expect(await ofBot()).toEqual([]);
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

    it('deletes comments, and says if they are gone or have to stay', async () => {
      const { host, open, ref } = suite;
      const pullRequest = open();
      const comment = await host.comment(ref(pullRequest), 'General');
      await host.comment(ref(pullRequest), 'Other');
      await host.remove(ref(pullRequest), comment);
      expect(pullRequest.comments.map(({ body }) => body)).toEqual(['Other']);
      await expect(host.remove(ref(pullRequest), comment)).rejects.toMatchObject({ code: 'not_found' });
      const comments = [line('first', 'src/a.ts', 11), line('second', 'src/b.ts', 1)];
      await host.publish(ref(pullRequest), { commit: HEAD, body: '', verdict: 'comment', comments });
      const { threads } = await host.discussion(ref(pullRequest));
      const removal = host.remove(ref(pullRequest), threads[0]!.comments[0]!);
      if (options.removesFromThreads) await removal;
      else await expect(removal).rejects.toMatchObject({ code: 'unsupported' });
      const { threads: left } = await host.discussion(ref(pullRequest));
      expect(left.map((each) => each.comments[0]!.body)).toEqual(
        options.removesFromThreads ? ['about second'] : ['about first', 'about second'],
      );
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
}
