/** How packages and their dependencies become facts, whatever the ecosystem. */
import type { FactList } from '../fact-list.ts';

export type Ecosystem = 'npm' | 'pypi' | 'go' | 'cargo' | 'maven' | 'nuget' | 'gem' | 'composer';

/** A dependency that is needed to run has no scope. */
export type Scope = 'dev' | 'test' | 'peer' | 'optional' | 'build' | 'indirect';

interface Package {
  ecosystem: Ecosystem;
  name: string;
  line: number;
}

export function addPackage(facts: FactList, { ecosystem, line, name }: Package, version?: string): void {
  if (!isPackageName(name)) return;
  facts.add({ kind: 'package', role: 'provides', name: `${ecosystem}:${name}`, line, detail: version });
}

/** The detail is the version, then the scope: `^1.2.3 dev`. */
export function addDependency(
  facts: FactList,
  { ecosystem, line, name, scope, version }: Package & { version?: string; scope?: Scope },
): void {
  if (!isPackageName(name)) return;
  const detail = [version?.trim(), scope].filter(Boolean).join(' ');
  facts.add({ kind: 'package', role: 'uses', name: `${ecosystem}:${name}`, line, detail });
}

/** Placeholders such as `${project.groupId}` and `{{ name }}` are no names. */
function isPackageName(name: string): boolean {
  return /^[\w@./:~+-]{1,200}$/.test(name) && /\w/.test(name);
}
