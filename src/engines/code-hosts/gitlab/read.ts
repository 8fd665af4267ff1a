/** Turns GitLab's replies into the port's terms. */
import type { z } from 'zod';
import type {
  Account,
  Comment,
  Mergeability,
  PullRequest,
  PullRequestState,
  Repository,
  Verdict,
} from '../port.ts';
import type {
  approvalsShape,
  mergeRequestShape,
  noteShape,
  projectShape,
  reviewerShape,
  userShape,
} from './shapes.ts';

/** Tokens of projects and groups are accounts with such names. */
const BOT_NAME = /^(project|group)_\d+_bot(_|$)/;
const MAINTAINER = 40;

export function accountOf({ bot, id, name, username }: z.output<typeof userShape>): Account {
  return { id: String(id), login: username, name: name || null, bot: bot ?? BOT_NAME.test(username) };
}

/** `ghost` stands for deleted accounts. */
export function authorOf(user: z.output<typeof userShape> | null | undefined): Account | null {
  return user && user.username !== 'ghost' ? accountOf(user) : null;
}

export function repositoryOf(found: z.output<typeof projectShape>): Repository {
  const { group_access, project_access } = found.permissions ?? {};
  const level = Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0);
  return {
    id: String(found.id),
    fullName: found.path_with_namespace,
    private: found.visibility !== 'public',
    defaultBranch: found.default_branch || null,
    cloneUrl: found.http_url_to_repo,
    url: found.web_url,
    archived: found.archived ?? false,
    fork: Boolean(found.forked_from_project),
    admin: level >= MAINTAINER,
  };
}

export function pullRequestOf(
  found: z.output<typeof mergeRequestShape>,
  source: { id: string; fullName: string } | null,
): PullRequest {
  return {
    id: String(found.id),
    number: found.iid,
    title: found.title,
    body: found.description ?? '',
    state: stateOf(found),
    author: authorOf(found.author),
    head: { branch: found.source_branch, commit: found.sha || null, repository: source },
    base: { branch: found.target_branch, commit: found.diff_refs?.base_sha || null },
    labels: found.labels,
    requestedReviewers: (found.reviewers ?? []).map(accountOf),
    requestedTeams: [],
    mergeCommit: found.merge_commit_sha || found.squash_commit_sha || null,
    url: found.web_url,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt: found.merged_at ?? null,
    closedAt: found.closed_at ?? null,
  };
}

/** `has_conflicts` counts only once GitLab has checked; other reasons, such as missing approvals, are no conflicts. */
export function mergeabilityOf(found: z.output<typeof mergeRequestShape>): Mergeability {
  const { detailed_merge_status: detailed, has_conflicts, merge_status: checked } = found;
  if (has_conflicts || detailed === 'conflict') return 'conflicts';
  if (checked === 'can_be_merged' || detailed === 'mergeable') return 'clean';
  const isChecking = ['unchecked', 'checking', 'preparing', 'cannot_be_merged_recheck'];
  if (isChecking.includes(detailed ?? '') || isChecking.includes(checked ?? '')) return 'checking';
  return checked === 'cannot_be_merged' ? 'blocked' : 'unknown';
}

function stateOf({ draft, state }: z.output<typeof mergeRequestShape>): PullRequestState {
  if (state === 'merged') return 'merged';
  if (state === 'closed') return 'closed';
  return draft ? 'draft' : 'open';
}

/** Approvals, and reviewers who requested changes; GitLab keeps only the newest of each person. */
export function verdictsOf(
  { approved_by }: z.output<typeof approvalsShape>,
  reviewers: z.output<typeof reviewerShape>[],
): Verdict[] {
  const common = { commit: null, body: '', url: null };
  return [
    ...(approved_by ?? []).map(({ approved_at, user }) => ({
      ...common,
      id: `approval-${user.id}`,
      account: authorOf(user),
      verdict: 'approved' as const,
      at: approved_at ?? null,
    })),
    ...reviewers
      .filter(({ state }) => state === 'requested_changes')
      .map(({ created_at, user }) => ({
        ...common,
        id: `changes-${user.id}`,
        account: authorOf(user),
        verdict: 'changes_requested' as const,
        at: created_at ?? null,
      })),
  ];
}

export function commentOf(
  note: z.output<typeof noteShape>,
  kind: 'thread' | 'conversation',
  mergeRequestUrl: string,
): Comment {
  return {
    kind,
    id: String(note.id),
    author: authorOf(note.author),
    body: note.body,
    createdAt: note.created_at,
    updatedAt: note.updated_at,
    url: `${mergeRequestUrl}#note_${note.id}`,
    thumbsDown: [],
  };
}
