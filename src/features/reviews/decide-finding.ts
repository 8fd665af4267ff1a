/** Dismisses a finding for a person, here or on the code host: it is recorded, and the discussion is resolved. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import { findDiscussion, setStatus } from '../discussions/index.ts';
import { type PullRequestChange, selectAuthorId } from '../pull-requests/index.ts';
import { insertDecision, selectFindingOf } from './review-run-store.ts';

const REASONS = {
  wrong: 'Dismissed: the finding is wrong.',
  intended: 'Dismissed: this is intended.',
  not_worth_it: 'Dismissed: not worth fixing.',
  later: 'Dismissed: to be fixed later.',
};

export interface FindingDecision {
  discussionId: string;
  reason: keyof typeof REASONS;
  scope: 'pull_request' | 'repository' | 'organization';
  note: string | null;
  by: { userId: string; name: string };
}

/** `own_secret`: nobody dismisses a secret that they leaked themselves. */
export async function decideFinding(
  change: PullRequestChange,
  { by, discussionId, note, reason, scope }: FindingDecision,
): Promise<'decided' | 'no_finding' | 'own_secret'> {
  const { at, db, pullRequest } = change;
  const { id: pullRequestId, organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  const discussion = await findDiscussion(change, discussionId);
  const finding = await selectFindingOf(db, organizationId, discussionId);
  if (!finding) return 'no_finding';
  if (finding.claim === 'secret' && (await selectAuthorId(db, pullRequestId)) === by.userId)
    return 'own_secret';
  await insertDecision(db, {
    ...{ id: uuidv7(), organizationId, repositoryId, pullRequestId, discussionId, at },
    ...{ findingKey: finding.finding_key, userId: by.userId, scope, reason, note },
  });
  await setStatus(change, discussion, 'dismiss', {
    ...{ userId: by.userId, accountId: null, name: by.name },
    reason: note === null ? REASONS[reason] : `${REASONS[reason]} ${note}`,
  });
  return 'decided';
}
