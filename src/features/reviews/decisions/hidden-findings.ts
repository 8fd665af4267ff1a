/** Finds other open findings that a dismissal hides. */
import type { Claim } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import { REVIEW_LIMITS } from '../contract.ts';
import { type CoverableFinding, covers, type DismissalScope, isSecret } from './covering-decision.ts';
import { type FindingOfDiscussion, selectOpenFindings } from './decision-store.ts';

/** At most 100, newest first, in repositories that the reader sees. None of a secret: someone looks at each of them. */
export async function findHidden(
  db: Db,
  reader: Reader,
  dismissed: {
    discussionId: string;
    repositoryId: string;
    finding: FindingOfDiscussion;
    scope: DismissalScope;
  },
) {
  const { discussionId, repositoryId, scope } = dismissed;
  const found = toFinding(dismissed.finding);
  if (isSecret(found)) return [];
  const open = await selectOpenFindings(db, reader, {
    repositoryId: scope === 'organization' ? null : repositoryId,
    pullRequestId: scope === 'pull_request' ? dismissed.finding.pull_request_id : null,
  });
  const decision = { key: found.key, scope, finding: found };
  return open
    .filter((row) => row.discussion_id !== discussionId && covers(decision, toFinding(row)))
    .slice(0, REVIEW_LIMITS.maxHidden);
}

export function toFinding(
  row: Pick<
    FindingOfDiscussion,
    'built_in' | 'check_name' | 'claim' | 'file' | 'finding_key' | 'producer' | 'quote' | 'subject'
  >,
): CoverableFinding {
  return {
    reviewer: row.built_in ?? '',
    check: row.check_name,
    claim: row.claim as Claim,
    subject: row.subject,
    file: row.file,
    quote: row.quote,
    key: row.finding_key,
    ...(row.producer && { producer: row.producer }),
  };
}
