/** Gitea and Forgejo. */
import { z } from 'zod';
import { ownerAndName } from '../full-name.ts';
import type { HostClient } from '../host-client.ts';
import { HostError } from '../host-error.ts';
import { keepSummary } from '../keep-summary.ts';
import { MAX_COMMENTS, MAX_REVIEWS } from '../limits.ts';
import { pageSince } from '../page-since.ts';
import { collect, hasNextPage, pageNumber } from '../pages.ts';
import type { CodeHost, PullRequestRef } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { describeGitea } from './describe.ts';
import { ensureWebhook } from './ensure-webhook.ts';
import { publishReview } from './publish-review.ts';
import { accountOf, commentOf, mergeabilityOf, pullRequestOf, repositoryOf, verdictOf } from './read.ts';
import { addReactions } from './read-reactions.ts';
import { readReaders } from './read-readers.ts';
import { readStatuses } from './read-statuses.ts';
import { readTeam } from './read-team.ts';
import { listReviews, readThreads } from './read-threads.ts';
import { replyInThread } from './reply-in-thread.ts';
import { type FactsState, giteaCapabilities, serverFacts } from './server-facts.ts';
import { setCommitStatus } from './set-commit-status.ts';
import { commentShape, createdShape, pullRequestShape, repositoryShape, userShape } from './shapes.ts';

/** Servers give out at most 50 by default. */
const PAGE_SIZE = 50;

export interface GiteaHostOptions {
  client: HostClient;
  /** The address for people, without a slash at the end. */
  web: string;
  token: string;
  facts: FactsState;
  now: () => Date;
}

export function createGiteaHost({ client, facts, now, token, web }: GiteaHostOptions): CodeHost {
  const server = () => serverFacts(client, facts, now());
  const repositoryAt = (fullName: string) => `/api/v1${ownerAndName(fullName).path}`;
  const pullRequestAt = ({ number, repository }: PullRequestRef) =>
    `${repositoryAt(repository)}/pulls/${number}`;
  const commentsAt = ({ number, repository }: PullRequestRef) =>
    `${repositoryAt(repository)}/issues/${number}/comments`;

  /** Threads have no address of their own: they are found by their place. */
  async function threadAt(ref: PullRequestRef, threadId: string) {
    const { found } = await readThreads(client, pullRequestAt(ref));
    const thread = found.find((one) => one.thread.id === threadId);
    if (!thread) throw new HostError('not_found', 'The thread is gone.');
    return thread;
  }
  async function generalComments(ref: PullRequestRef) {
    const { json } = await client({ path: commentsAt(ref) });
    return readReply(z.array(commentShape), json ?? [], 'the comments').map((one) =>
      commentOf(one, 'conversation'),
    );
  }
  async function createComment(ref: PullRequestRef, body: string): Promise<string> {
    const { json } = await client({ method: 'POST', path: commentsAt(ref), body: { body } });
    return String(readReply(createdShape, json, 'the comment').id);
  }
  async function editComment({ repository }: PullRequestRef, id: string, body: string): Promise<void> {
    const path = `${repositoryAt(repository)}/issues/comments/${encodeURIComponent(id)}`;
    await client({ method: 'PATCH', path, body: { body } });
  }

  return {
    kind: 'gitea',
    can: async () => giteaCapabilities(await server()),
    describe: async () => describeGitea(client, await server()),

    async repositories(page) {
      const number = pageNumber(page);
      const { headers, json } = await client({
        path: '/api/v1/user/repos',
        query: { limit: PAGE_SIZE, page: number },
      });
      const found = readReply(z.array(repositoryShape), json, 'the repositories');
      return { items: found.map(repositoryOf), next: hasNextPage(headers) ? String(number + 1) : null };
    },

    async repository(fullName) {
      const { json } = await client({ path: repositoryAt(fullName) });
      return repositoryOf(readReply(repositoryShape, json, 'the repository'));
    },

    readers: async (fullName) => await readReaders(client, repositoryAt(fullName)),

    teamMembers: async (path) => await readTeam(client, path),

    async pullRequests(fullName, query) {
      const page = pageNumber(query.page);
      const { headers, json } = await client({
        path: `${repositoryAt(fullName)}/pulls`,
        query: {
          state: query.state,
          sort: query.order === 'created' ? 'oldest' : 'recentupdate',
          limit: PAGE_SIZE,
          page,
        },
      });
      const items = readReply(z.array(pullRequestShape), json, 'the pull requests').map(pullRequestOf);
      return pageSince({ items, hasNext: hasNextPage(headers), page, etag: null }, query);
    },

    async pullRequest(ref) {
      const path = pullRequestAt(ref);
      const { json } = await client({ path });
      const { items } = await collect(listReviews(client, path), MAX_REVIEWS);
      const verdicts = items.flatMap((review) => verdictOf(review) ?? []);
      const found = readReply(pullRequestShape, json, 'the pull request');
      return { ...pullRequestOf(found), mergeability: mergeabilityOf(found), verdicts };
    },

    async discussion(ref, needsReactions) {
      const { found, truncated } = await readThreads(client, pullRequestAt(ref));
      if (needsReactions) {
        const comments = found.flatMap(({ thread }) => thread.comments.filter(needsReactions));
        await addReactions(client, repositoryAt(ref.repository), comments);
      }
      const conversation = await generalComments(ref);
      return {
        threads: found.map(({ thread }) => thread),
        conversation: conversation.slice(0, MAX_COMMENTS),
        truncated: truncated || conversation.length > MAX_COMMENTS,
      };
    },

    publish: async (ref, batch) => await publishReview(client, pullRequestAt(ref), batch),

    async dismissReview(ref, reviewId, message) {
      const path = `${pullRequestAt(ref)}/reviews/${encodeURIComponent(reviewId)}/dismissals`;
      await client({ method: 'POST', path, body: { message, priors: false }, repeatable: true });
    },

    async reply(ref, threadId, body) {
      const found = await threadAt(ref, threadId);
      return await replyInThread(client, pullRequestAt(ref), { found, body, way: (await server()).reply });
    },

    comment: async (ref, body) => ({ kind: 'conversation', id: await createComment(ref, body) }),

    async edit(ref, { id, kind }, body) {
      if (kind === 'review')
        throw new HostError('unsupported', "The text of a review can't be edited on Gitea.");
      await editComment(ref, id, body);
    },

    async remove(ref, { id, kind }) {
      // Gitea answers 204 for comments on lines, and keeps them.
      if (kind !== 'conversation')
        throw new HostError('unsupported', 'Comments on lines can’t be deleted by the API of Gitea.');
      const path = `${repositoryAt(ref.repository)}/issues/comments/${encodeURIComponent(id)}`;
      await client({ method: 'DELETE', path });
    },

    async setResolved(ref, threadId, resolved) {
      const { resolve, version } = await server();
      if (!resolve)
        throw new HostError(
          'unsupported',
          `The server (version ${version}) can't resolve threads by its API.`,
        );
      const { rootCommentId } = await threadAt(ref, threadId);
      const path = `${repositoryAt(ref.repository)}/pulls/comments/${rootCommentId}`;
      await client({
        method: 'POST',
        path: `${path}/${resolved ? 'resolve' : 'unresolve'}`,
        repeatable: true,
      });
    },

    async setDescription(ref, body) {
      await client({ method: 'PATCH', path: pullRequestAt(ref), body: { body }, repeatable: true });
    },

    async setSummary(ref, summary) {
      const place = {
        async *comments() {
          yield* await generalComments(ref);
        },
        async ownAccountId() {
          const { json } = await client({ path: '/api/v1/user' });
          return accountOf(readReply(userShape, json, 'the account')).id;
        },
        edit: (id: string, body: string) => editComment(ref, id, body),
        create: (body: string) => createComment(ref, body),
      };
      return await keepSummary(place, summary);
    },

    setCheck: async (fullName, commit, check) =>
      await setCommitStatus(client, repositoryAt(fullName), commit, check),

    statuses: async (fullName, commit) => await readStatuses(client, repositoryAt(fullName), commit),

    fetchAddress(fullName) {
      const { name, owner } = ownerAndName(fullName);
      return Promise.resolve({
        url: `${web}/${owner}/${name}.git`,
        credential: { username: 'oauth2', password: token },
        expiresAt: null,
        refspecs: [
          '+refs/heads/*:refs/heads/*',
          '+refs/tags/*:refs/tags/*',
          '+refs/pull/*/head:refs/pull/*/head',
        ],
      });
    },

    ensureWebhook: async (fullName, webhook) => await ensureWebhook(client, repositoryAt(fullName), webhook),
  };
}
