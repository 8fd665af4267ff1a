/** The input of a summary: the facts of a commit, its paths and its README, sorted once for all domains. */
import type { CommitFacts, FactKind, PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import { declaredDependencies } from './dependencies.ts';
import { findParts } from './find-parts.ts';
import { isAside, isSource, isTest, isVendored } from './kinds-of-paths.ts';

export interface CodeToDescribe {
  name: string;
  facts: CommitFacts;
  /** In byte order. */
  paths: readonly string[];
  readme: { path: string; text: string } | null;
}

export interface DescribedCode extends CodeToDescribe {
  /** The leaf of its name. */
  shortName: string;
  /** Folders with a package of their own, the longest path first; without the root. */
  parts: readonly string[];
  /** Files that people wrote, without tests and examples. */
  sources: readonly string[];
  tests: readonly string[];
  /** Packages that its programs need, as its manifests say. */
  dependencies: readonly PlacedFact[];
  /** Facts outside of tests, examples and vendored code. */
  of(kind: FactKind, role?: PlacedFact['role']): readonly PlacedFact[];
}

export function readCode(code: CodeToDescribe): DescribedCode {
  const written = code.paths.filter((path) => !isVendored(path));
  const isOfProgram = ({ path }: PlacedFact) => !isVendored(path) && !isTest(path) && !isAside(path);
  const byKind = new Map<string, PlacedFact[]>();
  for (const fact of code.facts.facts) {
    if (!isOfProgram(fact)) continue;
    const key = `${fact.kind} ${fact.role}`;
    const known = byKind.get(key);
    if (known) known.push(fact);
    else byKind.set(key, [fact]);
  }
  return {
    ...code,
    shortName: code.name.replace(/^.*\//s, ''),
    dependencies: declaredDependencies(code.facts.facts, isOfProgram),
    parts: findParts(code.facts.facts),
    sources: written.filter((path) => isSource(path) && !isTest(path) && !isAside(path)),
    tests: written.filter((path) => isSource(path) && isTest(path)),
    of: (kind, role = 'provides') => byKind.get(`${kind} ${role}`) ?? [],
  };
}
