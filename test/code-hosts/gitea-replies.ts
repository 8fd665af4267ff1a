/** Replies of Gitea's API, held to the types of its published client. */
import type {
  Comment,
  CommitStatus,
  Hook,
  PullRequest,
  PullReview,
  PullReviewComment,
  Repository,
  Team,
  User,
} from 'gitea-js';
import {
  type FakeAccount,
  type FakeComment,
  type FakeHook,
  type FakePullRequest,
  type FakeRepository,
  type FakeReview,
  type FakeStatus,
  type FakeThread,
  fullNameOf,
} from './fake-model.ts';

export function userReply({ id, login, name }: FakeAccount) {
  return {
    id,
    login,
    full_name: name,
    email: `${login}@noreply.localhost`,
    visibility: 'public',
  } satisfies User;
}

export function repositoryReply(repository: FakeRepository, url: string, owner: FakeAccount, level: string) {
  const fullName = fullNameOf(repository);
  return {
    id: repository.id,
    owner: userReply(owner),
    name: repository.name,
    full_name: fullName,
    private: repository.private,
    internal: false,
    default_branch: repository.defaultBranch,
    clone_url: `${url}/${fullName}.git`,
    html_url: `${url}/${fullName}`,
    archived: repository.archived,
    fork: repository.fork,
    permissions: { admin: level === 'admin', push: level === 'admin' || level === 'write', pull: true },
  } satisfies Repository;
}

export function pullRequestReply(pullRequest: FakePullRequest, url: string, owner: FakeAccount) {
  const { base, head, number, repository } = pullRequest;
  const isMerged = pullRequest.state === 'merged';
  return {
    id: pullRequest.id,
    number,
    title: pullRequest.title,
    body: pullRequest.body,
    state: pullRequest.state === 'open' ? 'open' : 'closed',
    draft: pullRequest.draft,
    merged: isMerged,
    mergeable: pullRequest.merge === 'clean',
    merged_at: pullRequest.mergedAt?.toISOString(),
    merge_commit_sha: isMerged ? 'd'.repeat(40) : undefined,
    user: userReply(pullRequest.author),
    head: {
      label: head.branch,
      ref: head.repository ? head.branch : `refs/pull/${number}/head`,
      sha: head.commit,
      repo_id: head.repository?.id ?? -1,
      repo: head.repository ? repositoryReply(head.repository, url, owner, 'read') : undefined,
    },
    base: {
      label: base.branch,
      ref: base.branch,
      sha: base.commit,
      repo: repositoryReply(repository, url, owner, 'read'),
    },
    labels: pullRequest.labels.map((name, id) => ({ id, name, color: 'ff0000' })),
    requested_reviewers: pullRequest.requestedReviewers.map(userReply),
    requested_reviewers_teams: pullRequest.requestedTeams.map(({ id, name }) => teamReply(id, name, 'read')),
    html_url: `${url}/${fullNameOf(repository)}/pulls/${number}`,
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
    closed_at: pullRequest.closedAt?.toISOString(),
  } satisfies PullRequest;
}

const STATES: Record<FakeReview['state'], string> = {
  pending: 'PENDING',
  commented: 'COMMENT',
  approved: 'APPROVED',
  changes_requested: 'REQUEST_CHANGES',
  dismissed: 'APPROVED',
};

export function reviewReply(review: FakeReview, { threads }: FakePullRequest) {
  return {
    id: review.id,
    user: userReply(review.author),
    state: STATES[review.state],
    body: review.body,
    commit_id: review.commit,
    dismissed: review.state === 'dismissed',
    stale: false,
    official: false,
    comments_count: threads.filter((thread) => thread.review === review).length,
    submitted_at: review.at.toISOString(),
    html_url: `https://gitea.example/reviews/${review.id}`,
  } satisfies PullReview;
}

export function reviewCommentReply(thread: FakeThread, comment: FakeComment) {
  const isFirst = thread.comments[0] === comment;
  return {
    id: comment.id,
    user: userReply(comment.author),
    resolver: isFirst && thread.resolvedBy ? userReply(thread.resolvedBy) : undefined,
    body: comment.body,
    path: thread.file,
    commit_id: thread.commit,
    original_commit_id: '',
    position: thread.side === 'new' ? thread.endLine : 0,
    original_position: thread.side === 'old' ? thread.endLine : 0,
    pull_request_review_id: thread.review.id,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    html_url: `https://gitea.example/comments/${comment.id}`,
  } satisfies PullReviewComment;
}

export function commentReply(comment: FakeComment) {
  return {
    id: comment.id,
    user: userReply(comment.author),
    body: comment.body,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    html_url: `https://gitea.example/comments/${comment.id}`,
  } satisfies Comment;
}

export function hookReply(hook: FakeHook) {
  const config = { url: hook.url, content_type: 'json' };
  return { id: hook.id, type: 'gitea', active: true, events: hook.events, config } satisfies Hook;
}

export function teamReply(id: number, name: string, code: 'read' | 'none') {
  const units_map = { 'repo.code': code, 'repo.issues': 'read' };
  return { id, name, permission: 'read', units_map, units: Object.keys(units_map) } satisfies Team;
}

export function commitStatusReply({ name, state, title, url }: FakeStatus, by: FakeAccount) {
  return {
    id: 1,
    context: name,
    status: state,
    description: title,
    target_url: url ?? '',
    creator: userReply(by),
  } satisfies CommitStatus;
}
