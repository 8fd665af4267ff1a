/** The ten built-in reviewers: what each looks at, and what it can check without a model. */
import { CHECKS } from '../../engines/review/index.ts';

export interface BuiltInReviewer {
  title: string;
  description: string;
  looksAt: string;
  /** Null if it can do nothing without a model or an agent. */
  withoutModel: string | null;
}

export const BUILT_IN_REVIEWERS = {
  logic_errors: {
    title: 'Logic Errors',
    description: 'Finds code that doesn’t do what it is meant to.',
    looksAt: 'Changed functions, their callers and the tests that name them.',
    withoutModel:
      'Conflict markers, files that no longer parse, and imports that differ from a file in case.',
  },
  breaking_changes: {
    title: 'Breaking Changes',
    description: 'Finds changes that break code elsewhere, in this repository or in others.',
    looksAt: 'Removed and changed exports, routes, contracts and migrations, and everything that uses them.',
    withoutModel:
      'Removed symbols that this or another repository still uses, and calls with outdated parameters. Removed routes, if that check is switched on.',
  },
  security: {
    title: 'Security',
    description: 'Finds ways in which a change lets someone do what they should not be able to do.',
    looksAt: 'Changed code that handles input, permissions, files, queries and workflows.',
    withoutModel: 'Invisible characters.',
  },
  secrets: {
    title: 'Secrets',
    description: 'Finds keys, tokens and passwords that were committed.',
    looksAt: 'Every added line.',
    withoutModel:
      'Tokens of known services and private keys. Passwords in URLs, if that check is switched on.',
  },
  type_inconsistencies: {
    title: 'Type Inconsistencies',
    description: 'Finds values that are used as a type that they don’t have.',
    looksAt: 'Changed signatures, types and shapes, and the code that uses them.',
    withoutModel: null,
  },
  error_handling: {
    title: 'Error Handling',
    description: 'Finds errors that are swallowed, lost or reported wrongly.',
    looksAt: 'Changed code that throws, catches, retries or gives up.',
    withoutModel: null,
  },
  tests_missing: {
    title: 'Tests Missing',
    description: 'Finds changed behavior that no test covers, and tests that no longer run.',
    looksAt: 'Changed exports, the tests that name them, and changed tests.',
    withoutModel:
      'Focused tests (`.only`) that skip the rest, and a list of changed exports that no test mentions.',
  },
  documentation_drift: {
    title: 'Documentation Drift',
    description: 'Finds documents and scripts that no longer match the code.',
    looksAt: 'Documents, workflows, container files and scripts that name what was changed.',
    withoutModel: 'Removed and renamed files that documents, scripts and workflows still mention.',
  },
  dependency_risk: {
    title: 'Dependency Risk',
    description: 'Finds dependencies that are risky to add or to change.',
    looksAt: 'Manifests, lock files and imports.',
    withoutModel:
      'Outdated lock files, undeclared (transitive) dependencies, and known vulnerabilities if an operator imports advisories.',
  },
  plan_conformance: {
    title: 'Plan Conformance',
    description: 'Compares a pull request with the plan that it is linked to.',
    looksAt: 'The linked plan and the changed files.',
    withoutModel:
      'One line that says which changed files the plan doesn’t mention, and migrations, contracts and permissions outside of it.',
  },
} as const satisfies Record<string, BuiltInReviewer>;

export type BuiltInKey = keyof typeof BUILT_IN_REVIEWERS;
export const BUILT_IN_KEYS = Object.keys(BUILT_IN_REVIEWERS) as [BuiltInKey, ...BuiltInKey[]];

export function builtInReviewer(key: string): BuiltInReviewer {
  return BUILT_IN_REVIEWERS[key as BuiltInKey];
}

/** Its checks that are off by default. */
export function optionalChecksOf(key: string | null, switchedOn: readonly string[]) {
  return CHECKS.filter(({ isOffByDefault, reviewer }) => isOffByDefault && reviewer === key).map(
    ({ looksFor, name }) => ({ name, looksFor, isOn: switchedOn.includes(name) }),
  );
}
