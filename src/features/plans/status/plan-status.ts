/**
 * The status transitions of a plan. Pure; callers apply the outcome under the plan's lock.
 *
 * Invariants:
 * 1. A deleted plan stays deleted and allows no further action.
 * 2. Only a person's approval makes a plan approved. It applies to one version, so new content makes the plan pending.
 * 3. A version with the same content doesn't change the status.
 * 4. Linking a pull request changes only a pending plan; an approved or closed plan keeps its status.
 * 5. An action that is not allowed in the current status is refused and changes nothing.
 * 6. A status never transitions to itself: `keep` means that nothing is recorded.
 * 7. Implemented means that code is linked, not that anyone approved: it can be reviewed, and keeps its status.
 */
import type { PlanStatus } from '../contract.ts';

export type PlanActionName =
  | 'add-version'
  | 'add-same-version'
  | 'approve'
  | 'withdraw-approval'
  | 'request-changes'
  | 'link-pull-request'
  | 'merge-pull-request'
  | 'mark-implemented'
  | 'close'
  | 'reopen'
  | 'delete';

export type Outcome =
  | { decision: 'move'; to: PlanStatus }
  | { decision: 'keep' }
  /** The reason, as a sentence for the caller. */
  | { decision: 'refuse'; because: string };

const keep: Outcome = { decision: 'keep' };
const move = (to: PlanStatus): Outcome => ({ decision: 'move', to });
const refuse = (because: string): Outcome => ({ decision: 'refuse', because });

type ActiveStatus = Exclude<PlanStatus, 'deleted'>;

const TABLE: Record<PlanActionName, Record<ActiveStatus, Outcome>> = {
  'add-version': {
    pending: keep,
    approved: move('pending'),
    implemented: move('pending'),
    closed: move('pending'),
  },
  'add-same-version': { pending: keep, approved: keep, implemented: keep, closed: keep },
  approve: {
    pending: move('approved'),
    approved: keep,
    implemented: keep,
    closed: refuse('The plan is closed; reopen it first.'),
  },
  'withdraw-approval': {
    pending: refuse('The plan is not approved.'),
    approved: move('pending'),
    implemented: keep,
    closed: refuse('The plan is closed; reopen it first.'),
  },
  'request-changes': {
    pending: keep,
    approved: move('pending'),
    implemented: keep,
    closed: refuse('The plan is closed; reopen it first.'),
  },
  'link-pull-request': { pending: move('implemented'), approved: keep, implemented: keep, closed: keep },
  'merge-pull-request': { pending: keep, approved: move('implemented'), implemented: keep, closed: keep },
  'mark-implemented': {
    pending: refuse('The plan is not approved.'),
    approved: move('implemented'),
    implemented: refuse('The plan is implemented already.'),
    closed: refuse('The plan is closed; reopen it first.'),
  },
  close: {
    pending: move('closed'),
    approved: move('closed'),
    implemented: move('closed'),
    closed: refuse('The plan is closed already.'),
  },
  reopen: {
    pending: refuse('The plan is not closed.'),
    approved: refuse('The plan is not closed.'),
    implemented: refuse('The plan is not closed.'),
    closed: move('pending'),
  },
  delete: {
    pending: move('deleted'),
    approved: move('deleted'),
    implemented: move('deleted'),
    closed: move('deleted'),
  },
};

export function decideStatus(status: PlanStatus, action: PlanActionName): Outcome {
  if (status === 'deleted') return refuse('The plan was deleted.');
  return TABLE[action][status];
}
