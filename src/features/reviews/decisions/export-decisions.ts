/** Writes the dismissals of a repository as Markdown files for `.countersign/decisions/`. */
import type { Claim } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import { writeDecisionFile } from './decision-file.ts';
import { selectDecisionsToExport } from './decision-store.ts';

/** The newest decision about each finding; those for one pull request stay where they are. */
export async function exportDecisions(
  db: Db,
  place: { organizationId: string; repositoryId: string },
): Promise<{ name: string; text: string }[]> {
  const rows = await selectDecisionsToExport(db, place);
  return rows.map((row) => ({
    name: `${row.check_name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${row.finding_key.slice(0, 12)}.md`,
    text: writeDecisionFile({
      key: row.finding_key,
      scope: row.scope === 'path' || row.scope === 'symbol' ? row.scope : 'repository',
      ...{ reason: row.reason, check: row.check_name, claim: row.claim as Claim, subject: row.subject },
      ...{ path: row.path, quote: row.quote, decidedBy: row.decided_by_name, note: row.note ?? '' },
    }),
  }));
}
