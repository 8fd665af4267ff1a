/** Reasons and scopes of dismissals in words. */
import type { ReactNode } from 'react';
import type { CallInput } from '../../../api/client.ts';

export const REASONS = {
  wrong: 'The finding is wrong',
  intended: 'This is intended',
  not_worth_it: 'Not worth fixing',
  later: 'Tracked elsewhere, to be fixed later',
};

export type Scope = CallInput<'preview-dismissal'>['scope'];

/** Describes the scope in the words of the finding. */
export function labelOf(
  scope: Scope,
  finding: { check: string; path: string; subject: string | null } | undefined,
): ReactNode {
  switch (scope) {
    case 'pull_request':
      return 'This finding, in this pull request';
    case 'path':
      return (
        <>
          All findings of this check in <code className="wrap-anywhere">{finding?.path}</code>
        </>
      );
    case 'symbol':
      return finding?.subject && !saysTheSame(finding.subject, finding.check) ? (
        <>
          All findings of this check about <code className="wrap-anywhere">{finding.subject}</code> in this
          repository
        </>
      ) : (
        'All findings of this check in this repository'
      );
    case 'repository':
      return 'This finding, anywhere in this repository';
    case 'organization':
      return 'This finding, in all repositories';
  }
}

/** `focused test` says no more than the name of its check, `focused_test`. */
function saysTheSame(subject: string, check: string): boolean {
  return subject.replaceAll(' ', '_') === check;
}
