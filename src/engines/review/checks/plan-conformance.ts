/**
 * Compares a change with its linked plans: one line for the summary, and findings only for migrations, contracts and permissions
 * that no plan mentions. Tests, lock files and generated files never count. If people approved one of the plans, the others don't count:
 * otherwise linking a plan that nobody approved would hide what the approved one doesn't mention.
 */

import type { Check, Found } from '../check.ts';
import { addedLines, type Change, type ReviewedFile } from '../code/read-change.ts';
import type { LinkedPlan } from '../contract/code-review.ts';
import { migrationOf } from './migrations/migrations.ts';

const CONTRACT = /\.(proto|graphqls?|gql)$|(^|\/)(openapi|swagger|asyncapi)[\w.-]*\.(ya?ml|json)$/i;
const PERMISSIONS =
  /(^|\/)codeowners$|^\.github\/workflows\/|(^|\/)(rbac|iam|permissions?|policies|policy)[\w.-]*\.(ya?ml|json|tf|rego)$/i;
const MAX_LISTED = 3;

export function planConformance(linked: readonly LinkedPlan[]): Check {
  const approved = linked.filter(({ isApproved }) => isApproved);
  const plans = approved.length > 0 ? approved : linked;
  const named = plans.flatMap(({ files }) => files);
  return {
    name: 'outside_plan',
    reviewer: 'plan_conformance',
    looksFor: 'migrations, contracts and permissions that the linked plan doesn’t mention',
    note: (change) => describePlan(change, plans, named),
    async run(change) {
      if (named.length === 0) return [];
      return unplanned(change, named).flatMap((file): Found[] => {
        const kind = kindOf(file);
        const line = addedLines(file).find(({ text }) => text.trim() !== '');
        if (!kind || !line) return [];
        return [
          {
            claim: 'plan',
            subject: file.path,
            title: `The plan doesn’t mention this ${kind}`,
            scenario: `${file.path} is a ${kind} that the linked plan doesn’t mention, so nobody approved it with the plan. Amend the plan, or leave it out.`,
            ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
          },
        ];
      });
    },
  };
}

function kindOf({ path }: ReviewedFile): string | undefined {
  if (migrationOf(path)) return 'migration';
  if (CONTRACT.test(path)) return 'contract';
  return PERMISSIONS.test(path) ? 'change of permissions' : undefined;
}

function counted({ files }: Change): ReviewedFile[] {
  return files.filter(
    ({ fileClass }) => fileClass === 'code' || fileClass === 'data' || fileClass === 'docs',
  );
}

function unplanned(change: Change, named: string[]): ReviewedFile[] {
  return counted(change).filter(
    ({ oldPath, path }) =>
      !named.some((each) => isNamed(path, each) || (oldPath !== null && isNamed(oldPath, each))),
  );
}

/** A plan mentions a file by its path, by the end of its path, or by its folder. */
function isNamed(path: string, named: string): boolean {
  const bare = named.replace(/^\.?\//, '').replace(/\/\*{0,2}$/, '');
  return path === bare || path.endsWith(`/${bare}`) || `/${path}`.includes(`/${bare}/`);
}

function describePlan(change: Change, plans: readonly LinkedPlan[], named: string[]): string | null {
  const which = plans.length === 1 ? 'the linked plan' : 'the linked plans';
  const unapproved = plans.some(({ isApproved }) => isApproved) ? '' : ` Nobody has approved ${which}.`;
  if (named.length === 0) return `${capital(which)} can't be compared: no files are mentioned.${unapproved}`;
  const [all, outside] = [counted(change).length, unplanned(change, named)];
  if (all === 0) return null;
  if (outside.length === 0) return `Every changed file is mentioned in ${which}.${unapproved}`;
  const paths = outside.slice(0, MAX_LISTED).map(({ path }) => path);
  const more = outside.length - paths.length;
  return `${outside.length} of ${all} changed files are not mentioned in ${which}: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Amend the plan if that is intended.${unapproved}`;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
