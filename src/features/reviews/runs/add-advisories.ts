/** Adds to a review which versions that lock files have now are known to be vulnerable, if the operator imported advisories. */

import type {
  JudgedCandidate,
  ReviewerKey,
  ReviewResult,
} from '../../../engines/review/contract/code-review.ts';
import { FINDING_LIMITS } from '../../../engines/review/contract/finding-limits.ts';
import { packageName } from '../../../engines/review/contract/package-name.ts';
import { findingKey } from '../../../engines/review/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { findVulnerable, selectLastImport, type VulnerablePackage } from '../../advisories/index.ts';

const CHECK = 'vulnerable_dependency';
const REVIEWER: ReviewerKey = 'dependency_risk';
const LOOKS_FOR = 'new versions in lock files with known vulnerabilities';
const MAX_NAMED = 5;
/** Older imports are stale. */
const MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

export async function addAdvisories(db: Db, result: ReviewResult, now: Date): Promise<void> {
  const { addedPackages, checks } = result;
  const last = checks.some(({ reviewer }) => reviewer === REVIEWER) ? await selectLastImport(db) : undefined;
  // It also runs when no lock file changed: an earlier finding is addressed then.
  if (!last) return;
  const { isComplete, vulnerable } = await findVulnerable(db, addedPackages.packages);
  const candidates = describeVulnerable(vulnerable);
  const days = Math.floor((now.getTime() - last.importedAt.getTime()) / DAY_MS);
  const problems = [
    ...(days > MAX_AGE_DAYS
      ? [
          `The advisories are ${days} days old. Ask an operator to import them again (countersign advisories import).`,
        ]
      : []),
    ...addedPackages.leftOut.map((clause) => `Not everything was looked at: ${clause}.`),
    ...(isComplete ? [] : ['Not everything was looked at: too many versions and advisories.']),
    ...(candidates.length > FINDING_LIMITS.candidatesPerCheck
      ? [
          `Only the first ${FINDING_LIMITS.candidatesPerCheck} of ${candidates.length} candidates were looked at.`,
        ]
      : []),
  ];
  checks.push({
    ...{ name: CHECK, reviewer: REVIEWER, looksFor: LOOKS_FOR, candidates: candidates.length },
    failure: problems.length === 0 ? null : problems.join(' '),
  });
  result.candidates.push(...candidates.slice(0, FINDING_LIMITS.candidatesPerCheck));
}

/** One finding for each version of a package; other lock files that have it are its evidence. */
function describeVulnerable(vulnerable: VulnerablePackage[]): JudgedCandidate[] {
  const byVersion = Map.groupBy(
    vulnerable,
    ({ added }) => `${added.ecosystem} ${packageName(added.ecosystem, added.name)} ${added.version}`,
  );
  return [...byVersion.values()].map(([first, ...others]) => {
    const { added, advisories } = first!;
    const { before, file, line, name, quote, version } = added;
    const isMalicious = advisories.some(({ id }) => id.startsWith('MAL-'));
    const count = advisories.length;
    const candidate = {
      ...{ reviewer: REVIEWER, check: CHECK, claim: 'dependency' as const },
      // A dismissal is about these, not about what is found in the package later.
      subject: `${name}: ${advisories.map(({ id }) => id).join(', ')}`,
      title: isMalicious
        ? `${name} ${version} is known to be malicious`
        : `${name} ${version} has ${count === 1 ? 'a known vulnerability' : `${count} known vulnerabilities`}`,
      scenario: [
        ...advisories.slice(0, MAX_NAMED).map(describeAdvisory),
        ...(count > MAX_NAMED ? [`And ${count - MAX_NAMED} more.`] : []),
        ...(before.length > 0
          ? [`Before this change, the lock file had ${before.join(', ')}, which is not affected.`]
          : []),
      ].join(' '),
      ...{ file, side: 'head' as const, line, quote },
      evidence: others.map(({ added: other }) => ({
        ...{ side: 'head' as const, path: other.file, line: other.line, quote: other.quote },
      })),
    };
    return { ...candidate, key: findingKey(candidate), fate: { kind: 'finding' } };
  });
}

/** `GHSA-35jh-r3h4-6jhm (CVE-2021-23337, high): Command Injection in lodash. Fixed in 4.17.21.` */
function describeAdvisory({
  aliases,
  fixedIn,
  id,
  severity,
  summary,
}: VulnerablePackage['advisories'][number]): string {
  const about = [
    ...aliases.filter((alias) => alias.startsWith('CVE-')).slice(0, 1),
    ...(severity ? [severity] : []),
  ];
  const named = about.length === 0 ? id : `${id} (${about.join(', ')})`;
  const text = summary === '' ? '' : `: ${summary.replace(/[.\s]+$/, '')}`;
  return `${named}${text}. ${fixedIn === null ? 'No version is known to fix it.' : `Fixed in ${fixedIn}.`}`;
}
