/** The GitHub adapter against a GitHub that holds itself to GitHub's published descriptions. */
import { afterEach, describe, expect, it } from 'vitest';
import { type GitHubFake, startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { testCodeHost } from '../../../../test/code-hosts/host-suite.ts';
import { TOKEN } from '../../../../test/code-hosts/test-environment.ts';
import { githubAddresses } from './addresses.ts';

const suite = testCodeHost({
  kind: 'github',
  start: (model) => startGitHubFake(model),
  connection: (url) => ({ kind: 'github', url, credential: { kind: 'token', token: TOKEN } }),
  ranges: true,
  fileComments: true,
  etags: true,
  changesRequested: true,
  botLogin: 'robot[bot]',
  ciAccount: 'actions[bot]',
  removesFromThreads: true,
  publishedIds: true,
});
const fake = () => suite.fake as GitHubFake;

describe('the description of a token', () => {
  afterEach(() => {
    fake().tokenHeaders = {};
  });

  it('says its scopes, when it expires, and what it lacks', async () => {
    fake().tokenHeaders = {
      'x-oauth-scopes': 'public_repo, read:org',
      'github-authentication-token-expiration': '2026-12-24 10:30:00 +0100',
      'x-github-enterprise-version': '3.19.1',
    };
    expect(await suite.host.describe()).toMatchObject({
      account: { login: suite.bot.login },
      scopes: ['public_repo', 'read:org'],
      expiresAt: new Date('2026-12-24T09:30:00Z'),
      version: '3.19.1',
      missing: [{ permission: 'repo' }, { permission: 'write:repo_hook' }],
      can: { checks: false, resolve: true },
    });
    fake().tokenHeaders = { 'x-oauth-scopes': 'repo' };
    expect(await suite.host.describe()).toMatchObject({ missing: [{ permission: 'read:org' }] });
    fake().tokenHeaders = { 'github-authentication-token-expiration': '2026-12-24 10:30:00 UTC' };
    expect(await suite.host.describe()).toMatchObject({
      scopes: [],
      expiresAt: new Date('2026-12-24T10:30:00Z'),
      missing: [],
    });
  });
});

describe('addresses', () => {
  it.each([
    ['https://github.com', 'https://api.github.com/repos', 'https://api.github.com/graphql'],
    ['https://github.com/', 'https://api.github.com/repos', 'https://api.github.com/graphql'],
    ['https://octo.ghe.com', 'https://api.octo.ghe.com/repos', 'https://api.octo.ghe.com/graphql'],
    [
      'https://git.example.com:8443',
      'https://git.example.com:8443/api/v3/repos',
      'https://git.example.com:8443/api/graphql',
    ],
    [
      'https://github.com.evil.example',
      'https://github.com.evil.example/api/v3/repos',
      'https://github.com.evil.example/api/graphql',
    ],
  ])('of %s', (url, rest, graphql) => {
    const { base, graphqlPath, restPrefix } = githubAddresses(url);
    expect([`${base}${restPrefix}/repos`, base + graphqlPath]).toEqual([rest, graphql]);
  });

  it.each(['github.com', 'ftp://github.com', 'https://user:pass@github.com', ''])('refuses %s', (url) => {
    expect(() => githubAddresses(url)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
