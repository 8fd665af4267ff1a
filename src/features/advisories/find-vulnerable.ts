/** Which packages that a change adds have advisories that the versions before did not have. */
import type { AddedPackage } from '../../platform/core/code-review.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectAdvisories } from './advisory-store.ts';
import { isAffected } from './is-affected.ts';
import { type Advisory, packageName } from './read-advisory.ts';

export interface VulnerablePackage {
  added: AddedPackage;
  advisories: (Pick<Advisory, 'id' | 'summary' | 'severity' | 'aliases'> & { fixedIn: string | null })[];
}

export async function findVulnerable(db: Db, added: AddedPackage[]): Promise<VulnerablePackage[]> {
  if (added.length === 0) return [];
  const keyOf = (ecosystem: string, name: string) => `${ecosystem} ${name}`;
  const packages = added.map((each) => ({
    ecosystem: each.ecosystem,
    package: packageName(each.ecosystem, each.name),
  }));
  const known = Map.groupBy(await selectAdvisories(db, packages), (each) =>
    keyOf(each.ecosystem, each.package),
  );
  return added.flatMap((each, index) => {
    const about = known.get(keyOf(each.ecosystem, packages[index]!.package)) ?? [];
    const advisories: VulnerablePackage['advisories'] = [];
    for (const advisory of about) {
      const found = isAffected(advisory, each.version);
      // Databases give one vulnerability several names.
      const isSame = advisories.some(
        ({ aliases, id }) => aliases.includes(advisory.id) || advisory.aliases.includes(id),
      );
      const isNew = !each.before.some((version) => isAffected(advisory, version));
      if (!found || isSame || !isNew) continue;
      const { aliases, id, severity, summary } = advisory;
      advisories.push({ id, summary, severity, aliases, ...found });
    }
    return advisories.length === 0 ? [] : [{ added: each, advisories }];
  });
}
