/** The dismissals that can cover findings of a review, with what to say about each. */
import type { Claim } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { CoverableFinding, DecidedFinding } from './covering-decision.ts';
import { type DecisionRow, selectDecisions } from './decision-store.ts';

const REASONS = {
  wrong: 'wrong',
  intended: 'intended',
  not_worth_it: 'not worth fixing',
  later: 'for later',
};

export type Decision = DecidedFinding & { said: string };

export async function readDecisions(
  db: Db,
  place: Parameters<typeof selectDecisions>[1],
  findings: readonly CoverableFinding[],
): Promise<Decision[]> {
  if (findings.length === 0) return [];
  const rows = await selectDecisions(db, place, {
    keys: [...new Set(findings.map(({ key }) => key))],
    checks: [...new Set(findings.map(({ check }) => check))],
  });
  return rows.map((row) => ({
    key: row.finding_key,
    scope: row.scope,
    finding: findingOf(row),
    said: describeDecision({ by: row.decided_by_name, reason: row.reason }),
  }));
}

export function describeDecision({ by, reason }: { by: string; reason: keyof typeof REASONS }): string {
  return `${by} dismissed it as ${REASONS[reason]}.`;
}

function findingOf({ check_name, claim, path, quote, subject }: DecisionRow): Decision['finding'] {
  if (check_name === null || claim === null || subject === null || path === null || quote === null)
    return null;
  return { check: check_name, claim: claim as Claim, subject, file: path, quote };
}
