/** Replies of GitLab's API, held to the types of a published client. */
import type {
  CommitStatusSchema,
  CondensedMemberSchema,
  DiscussionNoteSchema,
  DiscussionSchema,
  ExpandedMergeRequestDiffVersionsSchema,
  ExpandedMergeRequestSchema,
  JobSchema,
  MergeRequestReviewerSchema,
  PipelineSchema,
  ProjectSchema,
  SimpleProjectSchema,
  SimpleUserSchema,
} from '@gitbeaker/core';
import { hunksOf } from './fake-diff.ts';
import {
  type FakeAccount,
  type FakeComment,
  type FakeHook,
  type FakePullRequest,
  type FakeRepository,
  type FakeStatus,
  type FakeThread,
  fullNameOf,
} from './fake-model.ts';

/** Guests are members who can't read code. */
export const LEVELS = { none: 10, read: 20, write: 30, admin: 40 } as const;

const AT = '2026-01-01T00:00:00.000Z';

export function userReply({ id, login, name }: FakeAccount) {
  return {
    id,
    username: login,
    name,
    state: 'active',
    avatar_url: '',
    web_url: `https://gitlab.example/${login}`,
    created_at: AT,
  } satisfies SimpleUserSchema;
}

export function memberReply(account: FakeAccount, access: keyof typeof LEVELS) {
  const { created_at: _, ...user } = userReply(account);
  return { ...user, access_level: LEVELS[access] } satisfies CondensedMemberSchema;
}

export function projectReply(repository: FakeRepository, url: string, level: keyof typeof LEVELS) {
  const fullName = fullNameOf(repository);
  return {
    id: repository.id,
    name: repository.name,
    path: repository.name,
    name_with_namespace: fullName,
    path_with_namespace: fullName,
    description: null,
    created_at: AT,
    default_branch: repository.defaultBranch,
    topics: [],
    ssh_url_to_repo: `git@gitlab.example:${fullName}.git`,
    http_url_to_repo: `${url}/${fullName}.git`,
    web_url: `${url}/${fullName}`,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: AT,
    namespace: {
      id: 1,
      name: repository.owner,
      path: repository.owner,
      kind: 'group',
      full_path: repository.owner,
      avatar_url: '',
      web_url: '',
    },
    visibility: repository.private ? 'private' : 'public',
    archived: repository.archived,
    forked_from_project: repository.fork ? { id: 1 } : undefined,
    permissions: {
      project_access: { access_level: LEVELS[level], notification_level: 3 },
      group_access: null,
    },
  } satisfies SimpleProjectSchema & Pick<ProjectSchema, 'visibility'>;
}

const MERGE_STATUS = {
  checking: { merge_status: 'checking', detailed_merge_status: 'checking' },
  clean: { merge_status: 'can_be_merged', detailed_merge_status: 'mergeable' },
  conflicts: { merge_status: 'cannot_be_merged', detailed_merge_status: 'broken_status' },
} as const;

export function mergeRequestReply(pullRequest: FakePullRequest, url: string) {
  const { author, base, head, number, repository } = pullRequest;
  const { created_at: _, ...user } = userReply(author);
  return {
    id: pullRequest.id,
    iid: number,
    project_id: repository.id,
    title: pullRequest.title,
    description: pullRequest.body,
    state: pullRequest.state === 'open' ? 'opened' : pullRequest.state,
    created_at: pullRequest.createdAt.toISOString(),
    updated_at: pullRequest.updatedAt.toISOString(),
    merged_at: pullRequest.mergedAt?.toISOString() ?? null,
    closed_at: pullRequest.state === 'closed' ? (pullRequest.closedAt?.toISOString() ?? null) : null,
    merged_by: null,
    closed_by: null,
    target_branch: base.branch,
    source_branch: head.branch,
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    author: user,
    assignees: [],
    assignee: null,
    reviewers: pullRequest.requestedReviewers.map(userReply),
    // A project that was deleted keeps its number.
    source_project_id: head.repository?.id ?? 999_999,
    target_project_id: repository.id,
    labels: pullRequest.labels,
    draft: pullRequest.draft,
    work_in_progress: pullRequest.draft,
    milestone: null,
    merge_when_pipeline_succeeds: false,
    ...MERGE_STATUS[pullRequest.merge],
    sha: head.commit,
    merge_commit_sha: pullRequest.state === 'merged' ? 'd'.repeat(40) : null,
    squash_commit_sha: null,
    discussion_locked: null,
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    reference: `!${number}`,
    references: { short: `!${number}`, relative: `!${number}`, full: `${fullNameOf(repository)}!${number}` },
    web_url: `${url}/${fullNameOf(repository)}/-/merge_requests/${number}`,
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    squash: false,
    task_completion_status: { count: 0, completed_count: 0 },
    prepared_at: null,
    has_conflicts: pullRequest.merge === 'conflicts',
    blocking_discussions_resolved: true,
    approvals_before_merge: null,
    subscribed: false,
    changes_count: '1',
    latest_build_started_at: null,
    latest_build_finished_at: null,
    first_deployed_to_production_at: null,
    pipeline: null,
    head_pipeline: null,
    diff_refs: { base_sha: base.commit, head_sha: head.commit, start_sha: base.commit },
    merge_error: null,
    first_contribution: false,
    user: { can_merge: false },
  } satisfies ExpandedMergeRequestSchema;
}

export function reviewerReply(account: FakeAccount, state: MergeRequestReviewerSchema['state']) {
  const { created_at, ...user } = userReply(account);
  return { user, state, created_at } satisfies MergeRequestReviewerSchema;
}

/** Only notes on files can be resolved here. */
export function noteReply(pullRequest: FakePullRequest, comment: FakeComment, thread: FakeThread | null) {
  const { created_at: _, ...author } = userReply(comment.author);
  const resolver = thread?.resolvedBy ?? null;
  const note = {
    id: comment.id,
    type: thread ? 'DiffNote' : null,
    body: comment.body,
    attachment: null,
    author,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    system: false,
    noteable_id: pullRequest.id,
    noteable_type: 'MergeRequest',
    noteable_iid: pullRequest.number,
    resolvable: thread !== null,
  } satisfies DiscussionNoteSchema;
  return thread
    ? {
        ...note,
        resolved: resolver !== null,
        resolved_by: resolver && userReply(resolver),
        resolved_at: resolver && AT,
        position: positionReply(pullRequest, thread),
      }
    : note;
}

/** The published types call lines strings; GitLab sends numbers. */
function positionReply({ base }: FakePullRequest, thread: FakeThread) {
  const line = (number: number) => ({ [`${thread.side}_line`]: number });
  return {
    base_sha: base.commit,
    start_sha: base.commit,
    head_sha: thread.commit,
    old_path: thread.file,
    new_path: thread.file,
    position_type: thread.endLine === 0 ? 'file' : 'text',
    old_line: null,
    new_line: null,
    ...(thread.endLine === 0 ? {} : line(thread.endLine)),
    ...(thread.startLine === thread.endLine
      ? {}
      : { line_range: { start: line(thread.startLine), end: line(thread.endLine) } }),
  };
}

export function discussionReply(pullRequest: FakePullRequest, thread: FakeThread) {
  return {
    id: discussionId(thread),
    individual_note: false,
    notes: thread.comments.map((comment) => noteReply(pullRequest, comment, thread)),
  } satisfies DiscussionSchema;
}

export function discussionId({ id }: FakeThread): string {
  return id.toString(16).padStart(40, '0');
}

export function versionReply({ base, diff, head, id }: FakePullRequest) {
  return {
    id,
    head_commit_sha: head.commit,
    base_commit_sha: base.commit,
    start_commit_sha: base.commit,
    created_at: AT,
    merge_request_id: id,
    state: 'collected',
    real_size: '1',
    commits: [],
    diffs: Object.entries(diff).map(([file, lines]) => ({
      old_path: file,
      new_path: file,
      a_mode: '100644',
      b_mode: '100644',
      new_file: false,
      renamed_file: false,
      deleted_file: false,
      diff: hunksOf(lines),
    })),
  } satisfies ExpandedMergeRequestDiffVersionsSchema;
}

export function hookReply({ id, url }: FakeHook) {
  return { id, url, push_events: true, merge_requests_events: true, note_events: true };
}

/** A note of GraphQL, with its reactions. */
export function reactionsReply({ id, reactions }: FakeComment) {
  const nodes = reactions.map(({ account, emoji }) => ({
    name: emoji === '👎' ? 'thumbsdown' : 'tada',
    user: { id: `gid://gitlab/User/${account.id}`, username: account.login, name: account.name },
  }));
  return { id: `gid://gitlab/DiffNote/${id}`, awardEmoji: { nodes } };
}

/** Each App of the model is a pipeline, and its statuses are that pipeline's jobs. */
export function pipelineId(app: string): number {
  return [...app].reduce((sum, letter) => sum * 31 + letter.codePointAt(0)!, 7) % 1_000_000;
}

export function pipelineReply(repository: FakeRepository, app: string, sha: string) {
  return {
    id: pipelineId(app),
    iid: 1,
    project_id: repository.id,
    sha,
    ref: 'feature-1',
    status: 'running',
    source: 'push',
    created_at: AT,
    updated_at: AT,
    web_url: `https://gitlab.example/pipelines/${pipelineId(app)}`,
  } satisfies PipelineSchema;
}

const JOB_STATES: Record<string, string> = { failure: 'failed', error: 'canceled', neutral: 'success' };

/** Jobs and statuses from outside share their numbers. */
function statusId({ statuses }: FakeRepository, status: FakeStatus): number {
  return statuses.length - statuses.indexOf(status);
}

export function jobReply(repository: FakeRepository, status: FakeStatus) {
  return {
    id: statusId(repository, status),
    name: status.name,
    ref: 'feature-1',
    status: JOB_STATES[status.state] ?? status.state,
    allow_failure: false,
    created_at: AT,
    web_url: status.url ?? '',
  } satisfies Pick<JobSchema, 'id' | 'name' | 'ref' | 'status' | 'allow_failure' | 'created_at' | 'web_url'>;
}

/** The author of a job is whoever pushed. */
export function commitStatusReply(repository: FakeRepository, status: FakeStatus, by: FakeAccount) {
  const { created_at: _, ...author } = userReply(by);
  return {
    id: statusId(repository, status),
    sha: status.commit,
    ref: 'feature-1',
    name: status.name,
    status: (JOB_STATES[status.state] ?? status.state) as CommitStatusSchema['status'],
    allow_failure: false,
    description: status.title,
    target_url: status.url ?? '',
    created_at: AT,
    author,
  } satisfies CommitStatusSchema;
}
