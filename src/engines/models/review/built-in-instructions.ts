/** Instructions of built-in reviewers for a model. Reviewers without an entry need none, or have nothing to show it. */
import type { BuiltInReviewer } from '../../review/contract/code-review.ts';

export const BUILT_IN_INSTRUCTIONS: Partial<Record<BuiltInReviewer, string>> = {
  logic_errors:
    'Code that does something else than it is meant to: wrong conditions and boundaries, swapped arguments, results that are ignored, state that is not reset, missing `await`, races between concurrent calls, off-by-one errors, cases that fall through. What it is meant to do follows from names, comments, tests and callers.',
  breaking_changes:
    'Changes that break code elsewhere: removed or renamed exports, parameters, fields, routes, events and settings that are still used; changed defaults, units, formats and error values that callers rely on; migrations that lose data. Look up the users of what changed with users_of and grep.',
  security:
    'Ways in which this change lets someone do what they should not be able to do: input that reaches a query, a command, a path, a template or a redirect without a check; a missing or weaker permission check; data of one user or organization shown to another; secrets in logs or replies; weak randomness or comparison of secrets.',
  type_inconsistencies:
    'Values used as another type than they have: null or undefined where a value is needed, a list taken for one element, text taken for a number, a promise taken for its value, a shape that differs between the place where it is made and the place where it is read, casts that hide it.',
  error_handling:
    'Errors that are swallowed, lost or reported wrongly: empty catch blocks, errors turned into a success, missing cleanup after a failure, retries of what must not happen twice, promises whose rejection nobody handles, messages that blame something else.',
  documentation_drift:
    'Documents, comments and examples that this change makes wrong: a documented option, command, route, default or behavior that no longer is as described. Look for documents with grep. Quote the changed line, and give the wrong sentence as evidence.',
};
