/** Finds who owns which of the changed paths. */
import { setImmediate } from 'node:timers/promises';
import type { Owner, OwnersFile, Rule, Section } from './owners-file.ts';
import { type Budget, BudgetSpent } from './patterns/compile-pattern.ts';

/** For all rules and paths together: less than a second. */
const MAX_STEPS = 10_000_000;
/** After so many, other requests have a turn. */
const STEPS_OF_A_TURN = 500_000;

/** Paths with the same rule, whose owners approve them together. */
export interface OwnedPaths {
  section: string | null;
  line: number;
  pattern: string;
  owners: Owner[];
  /** How many of the owners must approve; 0 if the section is optional. */
  required: number;
  paths: string[];
}

/** Undefined if the rules take too long for these paths. In the order of the file; rules without owners are left out. */
export async function ownersOf(
  file: OwnersFile,
  paths: readonly string[],
): Promise<OwnedPaths[] | undefined> {
  const owned = new Map<Rule, OwnedPaths>();
  const matches = matchInTurns();
  try {
    for (const path of new Set(paths))
      for (const section of file.sections)
        for (const rule of await rulesFor(file, section, path, matches)) {
          if (rule.owners.length === 0) continue;
          const known = owned.get(rule);
          if (known) known.paths.push(path);
          else owned.set(rule, present(section, rule, path));
        }
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
  return [...owned.values()].sort((a, b) => a.line - b.line);
}

/** Matches within one budget, and lets other requests have a turn. */
function matchInTurns() {
  const budget: Budget = { steps: MAX_STEPS };
  let begin = budget.steps;
  return async (rule: Rule, path: string): Promise<boolean> => {
    if (begin - budget.steps > STEPS_OF_A_TURN) {
      await setImmediate();
      begin = budget.steps;
    }
    budget.steps -= 1;
    return rule.matches(path, budget);
  };
}

async function rulesFor(
  { dialect }: OwnersFile,
  { rules }: Section,
  path: string,
  matches: ReturnType<typeof matchInTurns>,
): Promise<Rule[]> {
  if (dialect === 'gitea') {
    const found: Rule[] = [];
    for (const rule of rules) if ((await matches(rule, path)) !== rule.negated) found.push(rule);
    return found;
  }
  // Once excluded, a path can't be included again by a later rule of the section.
  for (const rule of rules) if (rule.negated && (await matches(rule, path))) return [];
  for (const rule of rules.toReversed()) if (!rule.negated && (await matches(rule, path))) return [rule];
  return [];
}

function present(section: Section, rule: Rule, path: string): OwnedPaths {
  return {
    section: section.name,
    line: rule.line,
    pattern: rule.negated ? `!${rule.pattern}` : rule.pattern,
    owners: rule.owners,
    required: section.optional ? 0 : section.approvals,
    paths: [path],
  };
}
