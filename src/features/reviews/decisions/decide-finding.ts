/** Dismisses a finding for a person, here or on the code host: it is recorded, and the discussion is resolved. */
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { findDiscussion, findOwnSecrets, setStatus } from '../../discussions/index.ts';
import type { PullRequestChange } from '../../pull-requests/index.ts';
import { type DismissalScope, scopesFor } from './covering-decision.ts';
import {
  type FindingOfDiscussion,
  insertDecision,
  selectFindingOf,
  selectNewestDecision,
} from './decision-store.ts';
import { toFinding } from './hidden-findings.ts';

const REASONS = {
  wrong: 'Dismissed: the finding is wrong.',
  intended: 'Dismissed: this is intended.',
  not_worth_it: 'Dismissed: not worth fixing.',
  later: 'Dismissed: to be fixed later.',
};

const SCOPES: Record<DismissalScope, string> = {
  pull_request: 'Not raised again in this pull request.',
  repository: 'Not raised again in this repository.',
  organization: 'Not raised again in any repository.',
  path: 'The check raises nothing in this file.',
  symbol: 'The check raises nothing about this in the repository.',
};

export interface FindingDecision {
  discussionId: string;
  reason: keyof typeof REASONS;
  scope: DismissalScope;
  note: string | null;
  by: { userId: string; name: string };
}

export type DecisionOutcome =
  | { kind: 'decided'; finding: FindingOfDiscussion }
  | { kind: 'no_finding' }
  /** Nobody dismisses a secret that they leaked themselves. */
  | { kind: 'own_secret' }
  /** This finding can't be dismissed there. */
  | { kind: 'too_wide' };

export async function decideFinding(
  change: PullRequestChange,
  { by, discussionId, note, reason, scope }: FindingDecision,
): Promise<DecisionOutcome> {
  const { at, db, pullRequest } = change;
  const { id: pullRequestId, organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  const discussion = await findDiscussion(change, discussionId);
  const finding = await selectFindingOf(db, organizationId, discussionId);
  if (!finding) return { kind: 'no_finding' };
  const own = { discussionIds: [discussionId], pullRequestId, userId: by.userId };
  if ((await findOwnSecrets(db, own)).has(discussionId)) return { kind: 'own_secret' };
  const found = toFinding(finding);
  if (!scopesFor(found).includes(scope)) return { kind: 'too_wide' };
  const last = discussion.status === 'open' ? undefined : await selectNewestDecision(db, discussionId);
  const isRepeated =
    last?.decided_by === by.userId &&
    last.reason === reason &&
    last.scope === scope &&
    (note === null || note === last.note);
  // Sent twice, by a double click or after a lost reply.
  if (isRepeated) return { kind: 'decided', finding };
  await insertDecision(db, {
    ...{ id: uuidv7(), organizationId, repositoryId, pullRequestId, discussionId, at },
    ...{ finding: found, userId: by.userId, scope, reason, note },
  });
  await resolveDismissed(change, discussion, { by, reason, note, scope });
  return { kind: 'decided', finding };
}

/** Other findings that the decision covers are resolved with it. */
export async function resolveDismissed(
  change: PullRequestChange,
  discussion: Parameters<typeof setStatus>[1],
  { by, note, reason, scope }: Omit<FindingDecision, 'discussionId'>,
): Promise<void> {
  await setStatus(change, discussion, 'dismiss', {
    ...{ userId: by.userId, accountId: null, name: by.name },
    reason: [REASONS[reason], note, SCOPES[scope]].filter((part) => part !== null).join(' '),
  });
}
