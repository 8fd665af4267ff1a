/** Turns Gitea's replies into the port's terms. */
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
import type { commentShape, pullRequestShape, repositoryShape, reviewShape, userShape } from './shapes.ts';

export function accountOf({ full_name, id, login }: z.output<typeof userShape>): Account {
  return { id: String(id), login, name: full_name || null, bot: false };
}

/** Deleted accounts have negative ids. */
export function authorOf(user: z.output<typeof userShape> | null | undefined): Account | null {
  return user && user.id > 0 ? accountOf(user) : null;
}

export function repositoryOf(found: z.output<typeof repositoryShape>): Repository {
  return {
    id: String(found.id),
    fullName: found.full_name,
    private: found.private || (found.internal ?? false),
    defaultBranch: found.default_branch || null,
    cloneUrl: found.clone_url,
    url: found.html_url,
    archived: found.archived ?? false,
    fork: found.fork ?? false,
    admin: found.permissions?.admin ?? false,
  };
}

export function pullRequestOf(found: z.output<typeof pullRequestShape>): PullRequest {
  const { base, head } = found;
  const isMerged = found.merged ?? false;
  return {
    id: String(found.id),
    number: found.number,
    title: found.title,
    body: found.body ?? '',
    state: stateOf(found),
    author: authorOf(found.user),
    head: {
      branch: head.label || head.ref,
      commit: head.sha || null,
      repository: head.repo ? { id: String(head.repo.id), fullName: head.repo.full_name } : null,
    },
    base: { branch: base.ref, commit: base.sha || null },
    labels: (found.labels ?? []).map(({ name }) => name),
    requestedReviewers: (found.requested_reviewers ?? []).map(accountOf),
    requestedTeams: (found.requested_reviewers_teams ?? []).map(({ name }) => ({ name, slug: name })),
    mergeCommit: isMerged ? found.merge_commit_sha || null : null,
    url: found.html_url,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt: isMerged ? (found.merged_at ?? null) : null,
    closedAt: found.closed_at ?? null,
  };
}

export function mergeabilityOf({ mergeable }: z.output<typeof pullRequestShape>): Mergeability {
  if (typeof mergeable !== 'boolean') return 'unknown';
  return mergeable ? 'clean' : 'blocked';
}

function stateOf(found: z.output<typeof pullRequestShape>): PullRequestState {
  if (found.merged) return 'merged';
  if (found.state === 'closed') return 'closed';
  // Servers before 1.21 say it only in the title.
  return (found.draft ?? /^(WIP:|\[WIP\])/i.test(found.title)) ? 'draft' : 'open';
}

const VERDICTS: Record<string, Verdict['verdict']> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

/** Undefined for pending reviews and for requests to review. */
export function verdictOf(review: z.output<typeof reviewShape>): Verdict | undefined {
  const verdict = VERDICTS[review.state];
  return (
    verdict && {
      id: String(review.id),
      account: authorOf(review.user),
      verdict: review.dismissed ? 'dismissed' : verdict,
      commit: review.commit_id || null,
      body: review.body ?? '',
      at: review.submitted_at ?? null,
      url: review.html_url || null,
    }
  );
}

export function commentOf(found: z.output<typeof commentShape>, kind: 'thread' | 'conversation'): Comment {
  return {
    kind,
    id: String(found.id),
    author: authorOf(found.user),
    body: found.body ?? '',
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    url: found.html_url || null,
    thumbsDown: [],
  };
}
