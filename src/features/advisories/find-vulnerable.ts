/** Finds packages that a change adds with advisories that the versions before did not have. */
import { setImmediate } from 'node:timers/promises';
import type { AddedPackage } from '../../engines/review/contract/code-review.ts';
import { packageName } from '../../engines/review/contract/package-name.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectAdvisories } from './advisory-store.ts';
import { isAffected } from './is-affected.ts';
import type { Advisory } from './read-advisory.ts';

export interface VulnerablePackage {
  added: AddedPackage;
  advisories: (Pick<Advisory, 'id' | 'summary' | 'severity' | 'aliases'> & { fixedIn: string | null })[];
}

const MAX_BLOCKED_MS = 20;
/** Versions with advisories, in one review: half a second. */
const MAX_COMPARED = 200_000;

export async function findVulnerable(
  db: Db,
  added: AddedPackage[],
): Promise<{ vulnerable: VulnerablePackage[]; isComplete: boolean }> {
  if (added.length === 0) return { vulnerable: [], isComplete: true };
  const keyOf = (ecosystem: string, name: string) => `${ecosystem} ${name}`;
  const packages = added.map((each) => ({
    ecosystem: each.ecosystem,
    package: packageName(each.ecosystem, each.name),
  }));
  const known = Map.groupBy(await selectAdvisories(db, packages), (each) =>
    keyOf(each.ecosystem, each.package),
  );
  const vulnerable: VulnerablePackage[] = [];
  let [since, compared] = [performance.now(), 0];
  for (const [index, each] of added.entries()) {
    // Thousands of versions take their time, in which the service answers others.
    if (performance.now() - since > MAX_BLOCKED_MS) {
      await setImmediate();
      since = performance.now();
    }
    const about = known.get(keyOf(each.ecosystem, packages[index]!.package)) ?? [];
    compared += about.length * (1 + each.before.length);
    if (compared > MAX_COMPARED) return { vulnerable, isComplete: false };
    const advisories = affecting(each, about);
    if (advisories.length > 0) vulnerable.push({ added: each, advisories });
  }
  return { vulnerable, isComplete: true };
}

function affecting({ before, version }: AddedPackage, known: Advisory[]): VulnerablePackage['advisories'] {
  const advisories: VulnerablePackage['advisories'] = [];
  for (const advisory of known) {
    const found = isAffected(advisory, version);
    if (!found || before.some((old) => isAffected(advisory, old))) continue;
    // Databases give one vulnerability several names.
    const isSame = advisories.some(
      ({ aliases, id }) => aliases.includes(advisory.id) || advisory.aliases.includes(id),
    );
    if (isSame) continue;
    const { aliases, id, severity, summary } = advisory;
    advisories.push({ id, summary, severity, aliases, ...found });
  }
  return advisories;
}
