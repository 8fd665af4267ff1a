/** Turns GitHub's REST replies into the port's terms. */
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
  issueCommentShape,
  pullRequestShape,
  repositoryShape,
  reviewShape,
  userShape,
} from './shapes.ts';

export function accountOf(user: z.output<typeof userShape>): Account {
  const { id, login, name, type } = user;
  return { id: String(id), login, name: name ?? null, bot: type === 'Bot' || login.endsWith('[bot]') };
}

/** `ghost` stands for deleted accounts. */
function authorOf(user: z.output<typeof userShape> | null): Account | null {
  return user ? accountOf(user) : null;
}

export function repositoryOf(found: z.output<typeof repositoryShape>, isApp: boolean): Repository {
  return {
    id: String(found.id),
    fullName: found.full_name,
    private: found.private,
    defaultBranch: found.default_branch ?? null,
    cloneUrl: found.clone_url,
    url: found.html_url,
    archived: found.archived ?? false,
    fork: found.fork,
    admin: isApp || (found.permissions?.admin ?? false),
  };
}

export function pullRequestOf(found: z.output<typeof pullRequestShape>): PullRequest {
  const { base, head } = found;
  const mergedAt = found.merged_at ?? null;
  return {
    id: String(found.id),
    number: found.number,
    title: found.title,
    body: found.body ?? '',
    state: stateOf(found),
    author: authorOf(found.user),
    head: {
      branch: head.ref,
      commit: head.sha,
      repository: head.repo && { id: String(head.repo.id), fullName: head.repo.full_name },
    },
    base: { branch: base.ref, commit: base.sha },
    labels: found.labels.map(({ name }) => name),
    requestedReviewers: (found.requested_reviewers ?? []).map(accountOf),
    requestedTeams: (found.requested_teams ?? []).map(({ name, slug }) => ({ name, slug })),
    // Before the merge, it is the commit of a test merge.
    mergeCommit: mergedAt ? (found.merge_commit_sha ?? null) : null,
    url: found.html_url,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt,
    closedAt: found.closed_at ?? null,
  };
}

export function mergeabilityOf({ mergeable }: z.output<typeof pullRequestShape>): Mergeability {
  if (mergeable === undefined) return 'unknown';
  if (mergeable === null) return 'checking';
  return mergeable ? 'clean' : 'conflicts';
}

function stateOf(found: z.output<typeof pullRequestShape>): PullRequestState {
  if (found.state === 'open') return found.draft ? 'draft' : 'open';
  return found.merged_at ? 'merged' : 'closed';
}

const VERDICTS: Record<string, Verdict['verdict']> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

/** Undefined for reviews that were not submitted. */
export function verdictOf(review: z.output<typeof reviewShape>): Verdict | undefined {
  const verdict = VERDICTS[review.state];
  return (
    verdict && {
      id: String(review.id),
      account: authorOf(review.user),
      verdict,
      commit: review.commit_id ?? null,
      body: review.body ?? '',
      at: review.submitted_at ?? null,
      url: review.html_url ?? null,
    }
  );
}

export function conversationComment(found: z.output<typeof issueCommentShape>): Comment {
  return {
    kind: 'conversation',
    id: String(found.id),
    author: authorOf(found.user),
    body: found.body ?? '',
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    url: found.html_url,
    thumbsDown: [],
  };
}
