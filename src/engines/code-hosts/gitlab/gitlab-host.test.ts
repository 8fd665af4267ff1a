/** The GitLab adapter against a fake server. */
import { afterEach, describe, expect, it } from 'vitest';
import { type GitLabFake, startGitLabFake } from '../../../../test/code-hosts/gitlab-fake.ts';
import { testCodeHost } from '../../../../test/code-hosts/host-suite.ts';
import { HEAD, TOKEN } from '../../../../test/code-hosts/test-environment.ts';
import { gitlabWebhooks } from './webhooks.ts';

const suite = testCodeHost({
  kind: 'gitlab',
  start: (model) => startGitLabFake(model),
  connection: (url) => ({ kind: 'gitlab', url, credential: { kind: 'token', token: TOKEN } }),
  fullName: 'acme/platform/api',
  ranges: true,
  fileComments: true,
  etags: true,
  changesRequested: true,
  botLogin: 'project_17_bot_4f2',
  ciAccount: 'GitLab CI',
  removesFromThreads: true,
  publishedIds: false,
});
const fake = () => suite.fake as GitLabFake;

afterEach(() => {
  fake().quickActions.length = 0;
  fake().signs = false;
});

describe('quick actions', () => {
  it('are never carried out, wherever the text goes', async () => {
    const { grace, host, model, open, ref } = suite;
    const pullRequest = open();
    const evil = 'Nice\n/merge\n  /close\n```\ncode\n/assign @me\n~~~\n/approve\n';
    model.startThread(
      pullRequest,
      grace,
      { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 },
      'Why?',
    );
    const { threads } = await host.discussion(ref(pullRequest));
    await host.edit(ref(pullRequest), await host.reply(ref(pullRequest), threads[0]!.id, evil), evil);
    await host.edit(ref(pullRequest), await host.comment(ref(pullRequest), evil), evil);
    await host.setSummary(ref(pullRequest), { commentId: null, marker: 'm', body: `m\n${evil}` });
    const comment = {
      key: 'a',
      file: 'src/a.ts',
      side: 'new',
      startLine: 11,
      endLine: 11,
      body: evil,
    } as const;
    const comments = [comment, { ...comment, file: 'src/none.ts' }];
    await host.publish(ref(pullRequest), { commit: HEAD, body: evil, verdict: 'comment', comments });
    expect(fake().quickActions).toEqual([]);
  });

  it('leave code blocks as they are', async () => {
    const { host, open, ref } = suite;
    const pullRequest = open();
    const body = '```sh\n/usr/bin/env\n```\n/usr\n```suggestion\n/etc\n```';
    await host.comment(ref(pullRequest), body);
    expect(pullRequest.comments[0]!.body).toBe(body.replace('\n/usr\n', '\n\\/usr\n'));
    expect(fake().quickActions).toEqual([]);
  });
});

describe('publishing', () => {
  it('counts the lines of a suggestion back from the last one', async () => {
    const { host, open, ref } = suite;
    const pullRequest = open();
    const body = 'Shorter:\n```suggestion\none\n```';
    const comment = { key: 'a', file: 'src/a.ts', side: 'new', startLine: 10, endLine: 12, body } as const;
    await host.publish(ref(pullRequest), { commit: HEAD, body: '', verdict: 'comment', comments: [comment] });
    const [posted] = pullRequest.threads;
    expect(posted!.comments[0]!.body).toContain('```suggestion:-2+0\none');
    // In replies and edits too, and read as the other hosts have them: or our own text would look edited there.
    const [thread] = (await host.discussion(ref(pullRequest))).threads;
    expect(thread!.comments[0]!.body).toBe(body);
    await host.reply(ref(pullRequest), thread!.id, body, thread);
    await host.edit(ref(pullRequest), thread!.comments[0]!, `Edited. ${body}`, thread);
    expect(posted!.comments.map((each) => each.body)).toEqual([
      expect.stringMatching(/^Edited[\s\S]*```suggestion:-2\+0\none/),
      expect.stringContaining('```suggestion:-2+0\none'),
    ]);
  });

  it('removes drafts that were left behind, so that nothing appears twice', async () => {
    const { fake: server, host, open, ref } = suite;
    const pullRequest = open();
    const comment = {
      key: 'a',
      file: 'src/a.ts',
      side: 'new',
      startLine: 10,
      endLine: 10,
      body: 'once',
    } as const;
    const batch = { commit: HEAD, body: '', verdict: 'comment', comments: [comment] } as const;
    server.intercept((request, response) => {
      if (!request.url!.endsWith('bulk_publish')) return false;
      response.writeHead(400).end('{}');
      return true;
    });
    await expect(
      host.publish(ref(pullRequest), { ...batch, comments: [...batch.comments] }),
    ).rejects.toMatchObject({ code: 'invalid' });
    server.intercept(null);
    await host.publish(ref(pullRequest), { ...batch, comments: [...batch.comments] });
    expect(pullRequest.threads.map(({ comments }) => comments[0]!.body)).toEqual(['once']);
  });

  it('approves once, and does not take a refusal for a revoked token', async () => {
    const { bot, host, open, ref } = suite;
    const pullRequest = open();
    const batch = { commit: HEAD, body: '', verdict: 'approve', comments: [] } as const;
    await host.publish(ref(pullRequest), { ...batch, comments: [] });
    await host.publish(ref(pullRequest), { ...batch, comments: [] });
    expect(pullRequest.reviews.map(({ author, state }) => [author, state])).toEqual([[bot, 'approved']]);
    const later = { ...batch, commit: 'e'.repeat(40), comments: [] };
    pullRequest.reviews.length = 0;
    await expect(host.publish(ref(pullRequest), later)).rejects.toMatchObject({
      code: 'invalid',
      status: 409,
    });
  });

  it.each(['approve', 'request_changes'] as const)(
    'gives its verdict before its note (%s)',
    async (verdict) => {
      const { fake: server, host, open, ref } = suite;
      const pullRequest = open();
      const review = () =>
        host.publish(ref(pullRequest), { commit: HEAD, body: 'Note', verdict, comments: [] });
      server.intercept((request, response) => {
        if (!request.url!.endsWith('bulk_publish')) return false;
        response.writeHead(400).end('{}');
        return true;
      });
      await expect(review()).rejects.toMatchObject({ code: 'invalid' });
      expect([pullRequest.reviews.length, pullRequest.comments.length]).toEqual([1, 0]);
      server.intercept(null);
      await review();
      expect([pullRequest.reviews.length, pullRequest.comments.length]).toEqual([1, 1]);
    },
  );

  it('posts nothing if the verdict is refused', async () => {
    const { fake: server, host, open, ref } = suite;
    const pullRequest = open();
    server.intercept((request, response) => {
      if (!request.url!.endsWith('/approve')) return false;
      response.writeHead(401).end('{}');
      return true;
    });
    const review = { commit: HEAD, body: 'Note', verdict: 'approve', comments: [] } as const;
    await expect(host.publish(ref(pullRequest), { ...review, comments: [] })).rejects.toMatchObject({
      code: 'forbidden',
    });
    server.intercept(null);
    expect(pullRequest.comments).toEqual([]);
  });
});

describe('the description', () => {
  it('says when the token expires and what it lacks', async () => {
    fake().token = { scopes: ['read_api'], expires_at: '2026-12-01' };
    expect(await suite.host.describe()).toMatchObject({
      account: { login: suite.bot.login },
      version: '18.5.1',
      scopes: ['read_api'],
      expiresAt: new Date('2026-12-01T00:00:00Z'),
      missing: [{ permission: 'api' }],
    });
  });
});

describe('signed webhooks', () => {
  it.each(['whsec_c2VjcmV0IGtleQ==', 'a plain secret'])('are verified with the secret %s', (secret) => {
    const { model, open, repository } = suite;
    repository.hooks.push({ id: 1, url: 'https://cs.example', secret, events: [] });
    fake().signs = true;
    model.comment(open(), suite.ada, 'Hi');
    const { body, headers } = suite.fake.deliveries.at(-1)!;
    expect(gitlabWebhooks.verify(headers, Buffer.from(body), secret)).toBe(true);
    expect(gitlabWebhooks.verify(headers, Buffer.from(`${body} `), secret)).toBe(false);
    expect(gitlabWebhooks.verify({ ...headers, 'webhook-timestamp': '1' }, Buffer.from(body), secret)).toBe(
      false,
    );
  });
});
