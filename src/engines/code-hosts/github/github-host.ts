/** GitHub, over REST and, for review threads, GraphQL. */
import { ownerAndName } from '../full-name.ts';
import type { HostClient } from '../host-client.ts';
import { HostError } from '../host-error.ts';
import { keepSummary } from '../keep-summary.ts';
import { MAX_COMMENTS, MAX_READERS, MAX_REVIEWS, MAX_TEAM_ACCOUNTS, MAX_WEBHOOKS } from '../limits.ts';
import { collect, listAll } from '../pages.ts';
import type { CodeHost, CommentRef, PullRequestRef } from '../port.ts';
import { readReply } from '../read-reply.ts';
import type { GitHubAccess } from './access.ts';
import type { GitHubAddresses } from './addresses.ts';
import { describeGitHub, githubCapabilities } from './describe.ts';
import { sendGraphql } from './graphql.ts';
import { listPullRequests } from './list-pull-requests.ts';
import { listRepositories } from './list-repositories.ts';
import { publishReview } from './publish-review.ts';
import { REPLY_MUTATION, RESOLVE_MUTATION, replyShape, resolveShape, UNRESOLVE_MUTATION } from './queries.ts';
import {
  accountOf,
  conversationComment,
  mergeabilityOf,
  pullRequestOf,
  repositoryOf,
  verdictOf,
} from './read.ts';
import { readStatuses } from './read-statuses.ts';
import { readThreads } from './read-threads.ts';
import { setCheckRun, setCommitStatus } from './set-check.ts';
import {
  createdShape,
  issueCommentShape,
  pullRequestShape,
  repositoryShape,
  reviewShape,
  userShape,
  webhookShape,
} from './shapes.ts';
import { GITHUB_EVENTS } from './webhooks.ts';

export interface GitHubHostOptions {
  access: GitHubAccess;
  addresses: GitHubAddresses;
  /** Null with a token. */
  appId: string | null;
  now: () => Date;
}

export function createGitHubHost({ access, addresses, appId, now }: GitHubHostOptions): CodeHost {
  const { graphqlPath, restPrefix, web } = addresses;

  function repositoryAt(fullName: string) {
    const { name, owner, path } = ownerAndName(fullName);
    return { owner, name, client: access.client(owner), path: restPrefix + path };
  }
  function pullRequestAt({ number, repository }: PullRequestRef) {
    const { path, ...place } = repositoryAt(repository);
    return {
      ...place,
      repositoryPath: path,
      path: `${path}/pulls/${number}`,
      issuePath: `${path}/issues/${number}`,
    };
  }
  const graphql = (client: HostClient) => ({ client, path: graphqlPath, now });

  return {
    kind: 'github',
    can: () => Promise.resolve(githubCapabilities(access.isApp)),
    describe: () => describeGitHub(access, restPrefix),
    repositories: (page) => listRepositories(access, restPrefix, page),

    async repository(fullName) {
      const { client, path } = repositoryAt(fullName);
      const { json } = await client({ path });
      return repositoryOf(readReply(repositoryShape, json, 'the repository'), access.isApp);
    },

    async readers(fullName) {
      const { client, path } = repositoryAt(fullName);
      const request = { path: `${path}/collaborators`, query: { affiliation: 'all' } };
      const users = listAll({ client, request, shape: userShape, what: 'the collaborators' });
      const { items, truncated } = await collect(users, MAX_READERS);
      return { accounts: items.map(accountOf), truncated };
    },

    async teamMembers(path) {
      const { name, owner } = ownerAndName(path);
      const request = { path: `${restPrefix}/orgs/${owner}/teams/${encodeURIComponent(name)}/members` };
      const client = access.client(owner);
      const users = listAll({ client, request, shape: userShape, what: 'the members of the team' });
      const { items, truncated } = await collect(users, MAX_TEAM_ACCOUNTS);
      return { accounts: items.map(accountOf), truncated };
    },

    pullRequests(fullName, query) {
      const { client, path } = repositoryAt(fullName);
      return listPullRequests(client, path, query);
    },

    async pullRequest(ref) {
      const { client, path } = pullRequestAt(ref);
      const { json } = await client({ path });
      const found = readReply(pullRequestShape, json, 'the pull request');
      const reviews = listAll({
        client,
        request: { path: `${path}/reviews` },
        shape: reviewShape,
        what: 'the reviews',
      });
      const { items } = await collect(reviews, MAX_REVIEWS);
      const verdicts = items.flatMap((review) => verdictOf(review) ?? []);
      return { ...pullRequestOf(found), mergeability: mergeabilityOf(found), verdicts };
    },

    async discussion(ref) {
      const { client, issuePath, name, owner } = pullRequestAt(ref);
      const { threads, truncated } = await readThreads(graphql(client), { owner, name, number: ref.number });
      const conversation = await collect(generalComments(client, issuePath), MAX_COMMENTS);
      return { threads, conversation: conversation.items, truncated: truncated || conversation.truncated };
    },

    publish(ref, batch) {
      const { client, path } = pullRequestAt(ref);
      return publishReview({ client, path, graphqlPath, now }, batch);
    },

    async dismissReview(ref, reviewId, message) {
      const { client, path } = pullRequestAt(ref);
      const request = { path: `${path}/reviews/${encodeURIComponent(reviewId)}/dismissals` };
      await client({ ...request, method: 'PUT', body: { message, event: 'DISMISS' } });
    },

    async reply(ref, thread, body) {
      const { client } = pullRequestAt(ref);
      const { addPullRequestReviewThreadReply } = await sendGraphql(client, {
        ...graphql(client),
        document: REPLY_MUTATION,
        variables: { thread, body },
        shape: replyShape,
        what: 'the reply',
      });
      return { kind: 'thread', id: addPullRequestReviewThreadReply.comment.fullDatabaseId };
    },

    async comment(ref, body) {
      const { client, issuePath } = pullRequestAt(ref);
      return { kind: 'conversation', id: await createComment(client, issuePath, body) };
    },

    async edit(ref, comment, body) {
      const { client, path, repositoryPath } = pullRequestAt(ref);
      await editComment(client, { path, repositoryPath }, comment, body);
    },

    async remove(ref, { id, kind }) {
      const { client, repositoryPath } = pullRequestAt(ref);
      if (kind === 'review')
        throw new HostError('unsupported', 'A submitted review can’t be deleted on GitHub.');
      const comments = kind === 'thread' ? 'pulls/comments' : 'issues/comments';
      await client({ method: 'DELETE', path: `${repositoryPath}/${comments}/${encodeURIComponent(id)}` });
    },

    async setResolved(ref, thread, resolved) {
      const { client } = pullRequestAt(ref);
      await sendGraphql(client, {
        ...graphql(client),
        document: resolved ? RESOLVE_MUTATION : UNRESOLVE_MUTATION,
        variables: { thread },
        shape: resolveShape,
        what: 'the thread',
      });
    },

    async setDescription(ref, body) {
      const { client, path } = pullRequestAt(ref);
      await client({ method: 'PATCH', path, body: { body }, repeatable: true });
    },

    async setSummary(ref, summary) {
      const { client, issuePath, path, repositoryPath } = pullRequestAt(ref);
      const place = {
        comments: () => generalComments(client, issuePath),
        ownAccountId: async () => (await describeGitHub(access, restPrefix)).account.id,
        edit: (id: string, body: string) =>
          editComment(client, { path, repositoryPath }, { kind: 'conversation', id }, body),
        create: (body: string) => createComment(client, issuePath, body),
      };
      return await keepSummary(place, summary);
    },

    async setCheck(fullName, commit, check) {
      const { client, path } = repositoryAt(fullName);
      await (appId === null
        ? setCommitStatus(client, path, { commit, check })
        : setCheckRun(client, path, { appId, commit, check }));
    },

    async statuses(fullName, commit) {
      const { client, path } = repositoryAt(fullName);
      return await readStatuses(client, path, commit);
    },

    async fetchAddress(fullName) {
      const { name, owner } = repositoryAt(fullName);
      const { expiresAt, token } = await access.token(owner);
      return {
        url: `${web}/${owner}/${name}.git`,
        credential: { username: 'x-access-token', password: token },
        expiresAt,
        refspecs: [
          '+refs/heads/*:refs/heads/*',
          '+refs/tags/*:refs/tags/*',
          '+refs/pull/*/head:refs/pull/*/head',
        ],
      };
    },

    async ensureWebhook(fullName, { secret, url }) {
      if (access.isApp) return 'not_needed';
      const { client, path } = repositoryAt(fullName);
      const hooks = listAll({
        client,
        request: { path: `${path}/hooks` },
        shape: webhookShape,
        what: 'the webhooks',
      });
      const { items } = await collect(hooks, MAX_WEBHOOKS);
      const own = items.find(({ config }) => config.url === url);
      const body = {
        active: true,
        events: [...GITHUB_EVENTS],
        config: { url, content_type: 'json', secret, insecure_ssl: '0' },
      };
      await (own
        ? client({ method: 'PATCH', path: `${path}/hooks/${own.id}`, body })
        : client({ method: 'POST', path: `${path}/hooks`, body: { name: 'web', ...body } }));
      return own ? 'updated' : 'created';
    },
  };
}

async function* generalComments(client: HostClient, issuePath: string) {
  const request = { path: `${issuePath}/comments` };
  for await (const found of listAll({ client, request, shape: issueCommentShape, what: 'the comments' }))
    yield conversationComment(found);
}

async function createComment(client: HostClient, issuePath: string, body: string): Promise<string> {
  const { json } = await client({ method: 'POST', path: `${issuePath}/comments`, body: { body } });
  return String(readReply(createdShape, json, 'the comment').id);
}

async function editComment(
  client: HostClient,
  { path, repositoryPath }: { path: string; repositoryPath: string },
  { id, kind }: CommentRef,
  body: string,
): Promise<void> {
  const number = encodeURIComponent(id);
  switch (kind) {
    case 'thread':
      await client({ method: 'PATCH', path: `${repositoryPath}/pulls/comments/${number}`, body: { body } });
      return;
    case 'conversation':
      await client({ method: 'PATCH', path: `${repositoryPath}/issues/comments/${number}`, body: { body } });
      return;
    case 'review':
      await client({ method: 'PUT', path: `${path}/reviews/${number}`, body: { body } });
  }
}
