/** Chooses the merge rule of a base branch: one alone applies, the most specific that matches. Pure. */
import { compileGlob } from '../../../engines/search/index.ts';
import type { MERGE_ROLES } from '../contract.ts';

export interface RequiredStatus {
  name: string;
  userIds: string[];
  hostAccounts: string[];
}

export interface MergeRuleTerms {
  approvals: number;
  owners: boolean;
  statuses: RequiredStatus[];
  resolvedDiscussions: boolean;
  approvedPlan: boolean;
  keepApprovals: boolean;
  allowOnlyPerson: boolean;
  mergeRole: (typeof MERGE_ROLES)[number] | null;
  mergeUserIds: string[];
}

export interface StoredMergeRule extends MergeRuleTerms {
  id: string;
  repositoryId: string | null;
  pattern: string;
}

/** For branches that no rule matches. */
export const DEFAULT_TERMS: MergeRuleTerms = {
  approvals: 1,
  owners: false,
  statuses: [],
  resolvedDiscussions: false,
  approvedPlan: false,
  keepApprovals: false,
  allowOnlyPerson: false,
  mergeRole: 'member',
  mergeUserIds: [],
};

type Scope = Pick<StoredMergeRule, 'repositoryId' | 'pattern'>;

/** `rules` are those of the repository and of every repository; undefined if none matches. */
export function chooseRule<Rule extends Scope>(rules: readonly Rule[], branch: string): Rule | undefined {
  return rules.filter(({ pattern }) => matchesBranch(pattern, branch)).sort(bySpecificity)[0];
}

export function matchesBranch(pattern: string, branch: string): boolean {
  if (!pattern.includes('*')) return pattern === branch;
  // The slash anchors it; of what globs know, patterns of branches have only the star.
  const compiled = compileGlob(`/${pattern.replace(/[{}!\],]/g, '\\$&')}`);
  const bytes = Buffer.from(branch);
  return compiled.ok && compiled.glob.matches(bytes, 0, bytes.length);
}

/** Rules of the repository first, then names before patterns, then by how much of the name a pattern says. */
export function bySpecificity(a: Scope, b: Scope): number {
  return (
    Number(a.repositoryId === null) - Number(b.repositoryId === null) ||
    Number(a.pattern.includes('*')) - Number(b.pattern.includes('*')) ||
    lettersOf(b.pattern) - lettersOf(a.pattern) ||
    a.pattern.length - b.pattern.length ||
    (a.pattern < b.pattern ? -1 : Number(a.pattern > b.pattern))
  );
}

function lettersOf(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}
