/**
 * The status transitions of a discussion. Pure; callers apply the outcome under the pull request's lock.
 *
 * Invariants:
 * 1. Only a judgement or a proof that no longer holds makes a discussion addressed, and only from open.
 * 2. What a person resolved or dismissed is reopened by a person only, never by a commit.
 * 3. A commit that reverts the change reopens what was addressed, also if the setting resolved it since.
 * 4. The setting resolves only what is addressed.
 * 5. A status never transitions to itself: `null` means that nothing is recorded.
 */
import type { DiscussionStatus, StatusCause } from './contract.ts';

export type StatusTrigger =
  /** A later commit answers it. */
  | 'judged_addressed'
  /** The proof that a reviewer gave no longer holds. */
  | 'proof_gone'
  /** A person, here or on the code host. */
  | 'resolve'
  /** A person, with the reason why nothing will be changed. */
  | 'dismiss'
  /** The setting that resolves what is addressed. */
  | 'auto_resolve'
  /** A later commit undid the change that answered it. */
  | 'revert'
  /** A person, here or on the code host. */
  | 'reopen';

export interface StatusNow {
  status: DiscussionStatus;
  cause: StatusCause;
}

export function decideStatus({ cause, status }: StatusNow, trigger: StatusTrigger): StatusNow | null {
  switch (trigger) {
    case 'judged_addressed':
      return status === 'open' ? { status: 'addressed', cause: 'judge' } : null;
    case 'proof_gone':
      return status === 'open' ? { status: 'addressed', cause: 'proof' } : null;
    case 'resolve':
      return status === 'resolved' ? null : { status: 'resolved', cause: 'person' };
    case 'dismiss':
      return status === 'resolved' ? null : { status: 'resolved', cause: 'dismissed' };
    case 'auto_resolve':
      return status === 'addressed' ? { status: 'resolved', cause: 'switch' } : null;
    case 'revert':
      return status === 'addressed' || (status === 'resolved' && cause === 'switch')
        ? { status: 'open', cause: 'reverted' }
        : null;
    case 'reopen':
      return status === 'open' ? null : { status: 'open', cause: 'person' };
  }
}

/**
 * Translates a change on the code host. A thread that the host shows as unresolved may well be addressed: only its change from resolved
 * to unresolved reopens it. Null: nothing happened there.
 */
export function readHostChange(before: boolean | null, now: boolean): 'resolve' | 'reopen' | null {
  if (before === now) return null;
  if (now) return 'resolve';
  return before === true ? 'reopen' : null;
}
