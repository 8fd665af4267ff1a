/** Replies of GitHub's REST API: published examples with the model's values in them. */
import {
  type FakeAccount,
  type FakeComment,
  type FakeHook,
  type FakePullRequest,
  type FakeRepository,
  type FakeReview,
  type FakeThread,
  fullNameOf,
} from './fake-model.ts';
import { githubDescription } from './github-description.ts';

type Json = Record<string, unknown>;

const example = (name: string): Json => githubDescription().example(name);
const firstOf = (name: string): Json => (example(name) as unknown as Json[])[0]!;

export function userReply(account: FakeAccount): Json {
  const user = firstOf('simple-user-items');
  return { ...user, id: account.id, login: account.login, type: account.bot ? 'Bot' : 'User' };
}

export function privateUserReply(account: FakeAccount): Json {
  const user = example('private-user-response-with-public-and-private-profile-information');
  return {
    ...user,
    id: account.id,
    login: account.login,
    name: account.name,
    type: account.bot ? 'Bot' : 'User',
  };
}

export function publicUserReply(account: FakeAccount): Json {
  const user = example('public-user-default-response');
  return {
    ...user,
    id: account.id,
    login: account.login,
    name: account.name,
    type: account.bot ? 'Bot' : 'User',
  };
}

export function repositoryReply(
  repository: FakeRepository,
  url: string,
  from: 'full' | 'list' | 'installation' | 'branch',
): Json {
  const base = {
    full: () => example('full-repository-default-response'),
    list: () => firstOf('repository-items-default-response'),
    installation: () => (example('repository-paginated-2').repositories as Json[])[0]!,
    branch: () => (firstOf('pull-request-simple-items').head as { repo: Json }).repo,
  }[from]();
  // The example of one repository lacks a field that the description requires.
  const source = base.source ? { source: { ...(base.source as Json), language: null } } : {};
  const fullName = fullNameOf(repository);
  return {
    ...base,
    ...source,
    language: null,
    id: repository.id,
    name: repository.name,
    full_name: fullName,
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    default_branch: repository.defaultBranch,
    clone_url: `${url}/${fullName}.git`,
    html_url: `${url}/${fullName}`,
    archived: repository.archived,
    fork: repository.fork,
  };
}

export function pullRequestReply(pullRequest: FakePullRequest, url: string, from: 'full' | 'list'): Json {
  const base = from === 'full' ? example('pull-request') : firstOf('pull-request-simple-items');
  const { author, head, number, repository } = pullRequest;
  const labels = base.labels as Json[];
  const branch = (ref: string, sha: string, repo: FakeRepository | null) => ({
    ...(base.head as Json),
    label: `${repo?.owner ?? 'unknown'}:${ref}`,
    ref,
    sha,
    user: repo && userReply(author),
    repo: repo && {
      ...((base.head as { repo: Json }).repo as Json),
      ...repositoryReply(repo, url, 'branch'),
    },
  });
  return {
    ...base,
    id: pullRequest.id,
    number,
    title: pullRequest.title,
    body: pullRequest.body,
    state: pullRequest.state === 'open' ? 'open' : 'closed',
    draft: pullRequest.draft,
    user: userReply(author),
    head: branch(head.branch, head.commit, head.repository),
    base: branch(pullRequest.base.branch, pullRequest.base.commit, repository),
    labels: pullRequest.labels.map((name) => ({ ...labels[0], name })),
    requested_reviewers: pullRequest.requestedReviewers.map(userReply),
    requested_teams: pullRequest.requestedTeams.map(({ id, name, slug }) => ({
      ...(base.requested_teams as Json[])[0],
      ...{ id, name, slug, type: 'organization' },
    })),
    html_url: `${url}/${fullNameOf(repository)}/pull/${number}`,
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
    merged_at: pullRequest.mergedAt?.toISOString() ?? null,
    closed_at: pullRequest.closedAt?.toISOString() ?? null,
    ...(from === 'full'
      ? {
          merged: pullRequest.state === 'merged',
          mergeable: { checking: null, clean: true, conflicts: false }[pullRequest.merge],
        }
      : {}),
  };
}

const REVIEW_STATES = {
  pending: 'PENDING',
  commented: 'COMMENTED',
  approved: 'APPROVED',
  changes_requested: 'CHANGES_REQUESTED',
  dismissed: 'DISMISSED',
};

export function reviewReply(review: FakeReview): Json {
  const { submitted_at: _, ...base } = firstOf('pull-request-review-items');
  return {
    ...base,
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: userReply(review.author),
    body: review.body,
    state: REVIEW_STATES[review.state],
    commit_id: review.commit,
    ...(review.state === 'pending' ? {} : { submitted_at: review.at.toISOString() }),
  };
}

export function reviewCommentReply(
  thread: FakeThread,
  comment: FakeComment,
  from: 'review' | 'single',
): Json {
  const base = from === 'review' ? firstOf('review-comment-items') : example('pull-request-review-comment-2');
  return {
    ...base,
    id: comment.id,
    path: thread.file,
    body: comment.body,
    user: userReply(comment.author),
    commit_id: thread.commit,
    original_commit_id: thread.commit,
    pull_request_review_id: thread.review.id,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
  };
}

export function issueCommentReply(comment: FakeComment): Json {
  return {
    ...example('issue-comment'),
    id: comment.id,
    body: comment.body,
    user: userReply(comment.author),
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
  };
}

export function hookReply(hook: FakeHook): Json {
  const base = example('hook');
  const config = { url: hook.url, content_type: 'json', insecure_ssl: '0', secret: '********' };
  return { ...base, id: hook.id, events: hook.events, config };
}
