/** Compares the findings of a trial with those of real reviews. Pure. */
import type { Evidence, JudgedCandidate } from '../../engines/review/contract/code-review.ts';
import type { TrialFinding } from './contract.ts';
import type { selectSaid } from './trial-store.ts';

type Said = Awaited<ReturnType<typeof selectSaid>>[number];

/** Each finding once, by its key, whatever heads it was found at. */
export function compareFindings(
  found: readonly JudgedCandidate[],
  said: readonly Said[],
  titleOf: (reviewer: string) => string,
): TrialFinding[] {
  const saidByKey = new Map(said.map((each) => [each.finding_key, each]));
  const foundByKey = new Map(
    found.filter(({ fate }) => fate.kind === 'finding').map((each) => [each.key, each] as const),
  );
  return [
    ...[...foundByKey.values()].map((each): TrialFinding => {
      const earlier = saidByKey.get(each.key);
      return {
        outcome: earlier ? 'same' : 'added',
        fixed: earlier ? isAddressed(earlier) : each.isGoneLater === true,
        reviewer: titleOf(each.reviewer),
        ...{ check: each.check, title: each.title, file: each.file, line: each.line, quote: each.quote },
      };
    }),
    ...[...saidByKey.values()]
      .filter((each) => !foundByKey.has(each.finding_key) && isWithinReach(each))
      .map(
        (each): TrialFinding => ({
          outcome: 'lost',
          fixed: isAddressed(each),
          reviewer: each.reviewer_title,
          ...{
            check: each.check_name,
            title: each.title,
            file: each.file,
            line: each.line,
            quote: each.quote,
          },
        }),
      ),
  ];
}

/** By a commit or by a person who resolved it; not dismissed. */
function isAddressed({ status, status_cause: cause }: Said): boolean {
  return status !== 'open' && cause !== 'dismissed';
}

/** Checks that depend on what was open or planned at the time. */
const OF_ITS_TIME = new Set(['merge_skew', 'shared_migration_number', 'outside_plan']);

/** Whether a trial looks for it: a trial reads the code of one repository and uses no agent or model. */
function isWithinReach({ check_name: check, evidence, producer }: Said): boolean {
  const places = evidence as unknown as Evidence[];
  const isElsewhere = places.length > 0 && places.every(({ repository }) => repository !== undefined);
  return producer === null && !isElsewhere && !OF_ITS_TIME.has(check);
}
