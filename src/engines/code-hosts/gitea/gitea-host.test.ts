/** The adapter for Gitea and Forgejo against a fake server, in the versions that differ. */
import { afterEach, describe, expect, it } from 'vitest';
import { type GiteaFake, startGiteaFake } from '../../../../test/code-hosts/gitea-fake.ts';
import { testCodeHost } from '../../../../test/code-hosts/host-suite.ts';
import { TOKEN } from '../../../../test/code-hosts/test-environment.ts';

const suite = testCodeHost({
  kind: 'gitea',
  start: (model) => startGiteaFake(model),
  connection: (url) => ({ kind: 'gitea', url, credential: { kind: 'token', token: TOKEN } }),
  ranges: false,
  fileComments: false,
  etags: false,
  changesRequested: true,
  botLogin: null,
  ciAccount: 'gitea-actions',
  removesFromThreads: false,
  publishedIds: true,
});
const fake = () => suite.fake as GiteaFake;

afterEach(() => {
  fake().version = '1.27.0';
  fake().forbidden = [];
});

describe('older servers', () => {
  it.each([
    ['1.26.2', true],
    ['1.25.9', false],
    ['1.9.0', false],
    ['2.0.0', true],
    ['13.0.3+gitea-1.22.0', false],
  ])('%s can resolve threads: %s', async (version, resolve) => {
    fake().version = version;
    expect(await suite.host.can()).toEqual({
      threads: true,
      resolve,
      checks: false,
      suggestions: false,
      fileComments: false,
    });
  });

  it('refuse to resolve with an error that says so', async () => {
    fake().version = '1.22.0';
    const error = suite.host.setResolved({ repository: 'acme/api', number: 1 }, 'x', true);
    await expect(error).rejects.toMatchObject({ code: 'unsupported' });
  });

  it.each(['1.22.0', '13.0.3+gitea-1.22.0'])('%s: a reply joins the thread of its line', async (version) => {
    fake().version = version;
    const { grace, host, model, open, ref } = suite;
    const pullRequest = open();
    const place = { file: 'src/a.ts', side: 'old', startLine: 9, endLine: 9 } as const;
    model.startThread(pullRequest, grace, place, 'Why?');
    const { threads } = await host.discussion(ref(pullRequest));
    await host.reply(ref(pullRequest), threads[0]!.id, 'Because');
    const after = await host.discussion(ref(pullRequest));
    expect(after.threads.map(({ comments }) => comments.map(({ body }) => body))).toEqual([
      ['Why?', 'Because'],
    ]);
    expect(after.threads[0]!.id).toBe(threads[0]!.id);
  });
});

describe('who can read', () => {
  it('includes the owner of a repository that belongs to a person, who has no teams', async () => {
    const { host, model } = suite;
    const repository = model.repository('linus/tool');
    model.grant(repository, suite.bot.login, 'write');
    model.grant(repository, 'grace', 'read');
    const { accounts } = await host.readers('linus/tool');
    expect(new Set(accounts.map(({ login }) => login))).toEqual(new Set(['linus', suite.bot.login, 'grace']));
  });
});

describe('the description', () => {
  it('names the account, the version and what the token lacks', async () => {
    expect(await suite.host.describe()).toMatchObject({
      account: { id: String(suite.bot.id), login: suite.bot.login },
      version: '1.27.0',
      expiresAt: null,
      missing: [],
    });
    fake().forbidden = ['/repos/issues/search'];
    expect((await suite.host.describe()).missing).toMatchObject([{ permission: 'write:issue' }]);
  });
});
