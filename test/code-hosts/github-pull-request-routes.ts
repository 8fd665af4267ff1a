/** The routes of the fake GitHub for pull requests, their reviews and comments. */
import { type FakeComment, type FakePullRequest, type FakeRepository, isInDiff } from './fake-model.ts';
import { type FakeReply, type Parameters, pageOf } from './fake-server.ts';
import { type GitHubCallers, type GitHubRoute, notFound, ok, unprocessable } from './github-callers.ts';
import type { GitHubFake } from './github-fake.ts';
import { issueCommentReply, pullRequestReply, reviewCommentReply, reviewReply } from './github-replies.ts';

const VERDICTS = { APPROVE: 'approved', REQUEST_CHANGES: 'changes_requested', COMMENT: 'commented' } as const;

export function pullRequestRoutes(
  fake: GitHubFake,
  { pullRequestAt, repositoryAt, reviewAt, visibleReviews }: GitHubCallers,
): Record<string, GitHubRoute> {
  const { model } = fake;
  return {
    'GET /repos/{owner}/{repo}/pulls': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      const { query } = request;
      const sorted = repository.pullRequests
        .filter(({ state }) => query.get('state') === 'all' || state === 'open')
        .sort((a, b) =>
          query.get('sort') === 'updated'
            ? a.updatedAt.getTime() - b.updatedAt.getTime()
            : a.createdAt.getTime() - b.createdAt.getTime(),
        );
      if (query.get('direction') === 'desc') sorted.reverse();
      const { headers, items } = pageOf(sorted, request);
      return ok(
        items.map((one) => pullRequestReply(one, fake.url, 'list')),
        headers,
      );
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}': (request, parameters) =>
      ok(pullRequestReply(pullRequestAt(request, parameters).pullRequest, fake.url, 'full')),
    'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': (request, parameters) => {
      const { pullRequest } = pullRequestAt(request, parameters);
      model.change(pullRequest, request.body as { body: string });
      return ok(pullRequestReply(pullRequest, fake.url, 'full'));
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const { headers, items } = pageOf(visibleReviews(caller, pullRequest), request);
      return ok(items.map(reviewReply), headers);
    },
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const { body = '', comments = [], commit_id, event } = request.body as ReviewRequest;
      const places = comments.map((one) => ({ place: placeOf(one), body: one.body }));
      if (pullRequest.reviews.some(({ author, state }) => author === caller.account && state === 'pending'))
        throw unprocessable('User can only have one pending review per pull request');
      if (places.some(({ place }) => !isInDiff(pullRequest, place)))
        throw unprocessable('Pull request review thread line must be part of the diff');
      if (event && event !== 'COMMENT' && caller.account === pullRequest.author)
        throw unprocessable('Can not approve your own pull request');
      if (event === 'REQUEST_CHANGES' && body === '') throw unprocessable('Body is required');
      const state = event ? VERDICTS[event] : 'pending';
      const commit = commit_id ?? pullRequest.head.commit;
      const review = model.review(pullRequest, caller.account, { state, body, commit });
      for (const one of places) model.startThread(pullRequest, caller.account, one.place, one.body, review);
      return ok(reviewReply(review));
    },
    'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}': (request, parameters) => {
      const { review } = reviewAt(request, parameters);
      review.body = (request.body as { body: string }).body;
      return ok(reviewReply(review));
    },
    'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals': (request, parameters) => {
      const { pullRequest, review } = reviewAt(request, parameters);
      if (review.state !== 'approved' && review.state !== 'changes_requested')
        throw unprocessable('Can not dismiss a commented pull request review');
      model.submit(pullRequest, review, 'dismissed', review.body);
      return ok(reviewReply(review));
    },
    'DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}': (request, parameters) => {
      const { pullRequest, review } = reviewAt(request, parameters);
      if (review.state !== 'pending') throw unprocessable('Can not delete a non-pending pull request review');
      model.removeReview(pullRequest, review);
      return ok(reviewReply(review));
    },
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events': (request, parameters) => {
      const { caller, pullRequest, review } = reviewAt(request, parameters);
      const { body = '', event } = request.body as { body?: string; event: keyof typeof VERDICTS };
      if (event !== 'COMMENT' && caller.account === pullRequest.author)
        throw unprocessable('Can not approve your own pull request');
      model.submit(pullRequest, review, VERDICTS[event], body);
      return ok(reviewReply(review));
    },
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments': (request, parameters) => {
      const { pullRequest, review } = reviewAt(request, parameters);
      const threads = pullRequest.threads.filter((one) => one.review === review);
      const { headers, items } = pageOf(threads, request);
      return ok(
        items.map((one) => reviewCommentReply(one, one.comments[0]!, 'review')),
        headers,
      );
    },
    'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      for (const pullRequest of repository.pullRequests)
        for (const thread of pullRequest.threads) {
          const comment = thread.comments.find(({ id }) => id === Number(parameters.comment_id));
          if (!comment) continue;
          model.edit(pullRequest, comment, (request.body as { body: string }).body);
          return ok(reviewCommentReply(thread, comment, 'single'));
        }
      throw notFound();
    },
    'DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      return remove(repository, parameters, ({ threads }) => threads.flatMap(({ comments }) => comments));
    },
    'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      return remove(repository, parameters, ({ comments }) => comments);
    },
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': (request, parameters) => {
      const { headers, items } = pageOf(pullRequestAt(request, parameters).pullRequest.comments, request);
      return ok(items.map(issueCommentReply), headers);
    },
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': (request, parameters) => {
      const { caller, pullRequest } = pullRequestAt(request, parameters);
      const comment = model.comment(pullRequest, caller.account, (request.body as { body: string }).body);
      return { status: 201, body: issueCommentReply(comment) };
    },
    'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': (request, parameters) => {
      const { repository } = repositoryAt(request, parameters);
      for (const pullRequest of repository.pullRequests) {
        const comment = pullRequest.comments.find(({ id }) => id === Number(parameters.comment_id));
        if (!comment) continue;
        model.edit(pullRequest, comment, (request.body as { body: string }).body);
        return ok(issueCommentReply(comment));
      }
      throw notFound();
    },
  };

  function remove(
    { pullRequests }: FakeRepository,
    { comment_id }: Parameters,
    commentsOf: (pullRequest: FakePullRequest) => FakeComment[],
  ): FakeReply {
    for (const pullRequest of pullRequests) {
      const comment = commentsOf(pullRequest).find(({ id }) => id === Number(comment_id));
      if (!comment) continue;
      model.remove(pullRequest, comment);
      return { status: 204 };
    }
    throw notFound();
  }
}

interface ReviewRequest {
  commit_id?: string;
  body?: string;
  event?: keyof typeof VERDICTS;
  comments?: { path: string; body: string; line?: number; side?: string; start_line?: number }[];
}

function placeOf({ line = 0, path, side, start_line }: NonNullable<ReviewRequest['comments']>[number]) {
  return {
    file: path,
    side: side === 'LEFT' ? ('old' as const) : ('new' as const),
    startLine: start_line ?? line,
    endLine: line,
  };
}
