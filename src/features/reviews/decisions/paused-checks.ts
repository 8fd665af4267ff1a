/** Checks that are paused in a repository, because people dismissed their findings as wrong. */
import type { Db } from '../../../platform/db/index.ts';
import { isExactOnly } from './covering-decision.ts';
import { countWrong, type FindingOfDiscussion } from './decision-store.ts';
import { toFinding } from './hidden-findings.ts';
import { pausedName } from './paused-name.ts';

/** Findings of one check that are dismissed as wrong before it is paused. */
const WRONG_TO_PAUSE = 2;

export async function readPausedChecks(db: Db, repositoryId: string): Promise<Set<string>> {
  const counts = await countByName(db, repositoryId);
  return new Set([...counts].filter(([, findings]) => findings >= WRONG_TO_PAUSE).map(([name]) => name));
}

/** Whether its check is paused once this finding is dismissed as wrong too. */
export async function wouldPause(db: Db, repositoryId: string, row: FindingOfDiscussion): Promise<boolean> {
  if (isExactOnly(toFinding(row))) return false;
  const { built_in: builtIn, check_name: check, producer, proof } = row;
  const name = pausedName({ check, producer: producer?.kind ?? null, proof, isBuiltIn: builtIn !== null });
  return (await countByName(db, repositoryId)).get(name) === WRONG_TO_PAUSE - 1;
}

async function countByName(db: Db, repositoryId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const each of await countWrong(db, repositoryId)) {
    const name = pausedName(each);
    counts.set(name, (counts.get(name) ?? 0) + each.findings);
  }
  return counts;
}
