/** The GitHub adapter against a GitHub that holds itself to GitHub's published descriptions. */
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { TOKEN, testCodeHost } from '../../../../test/code-hosts/host-suite.ts';

testCodeHost({
  kind: 'github',
  start: (model) => startGitHubFake(model),
  connection: (url) => ({ kind: 'github', url, credential: { kind: 'token', token: TOKEN } }),
  ranges: true,
  fileComments: true,
  etags: true,
  changesRequested: true,
  botLogin: 'robot[bot]',
  publishedIds: true,
});
