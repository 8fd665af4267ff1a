/**
 * The status of a plan: which action leads where. Pure; what it says is written under the lock of the plan's row.
 *
 * Invariants:
 * 1. A deleted plan stays deleted, and nothing else can be done with it.
 * 2. Only a person's approval makes a plan approved; it is for one version, so other content makes it pending again.
 * 3. A version with the same content changes no status.
 * 4. Linking a pull request moves a pending plan alone: an approved or closed one keeps its status.
 * 5. An action that does not fit the status is refused and changes nothing.
 * 6. A status never leads to itself: `keep` says that nothing is to be recorded.
 */
import type { PlanStatus } from './contract.ts';

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
  /** A sentence for the caller: what stands in the way. */
  | { decision: 'refuse'; because: string };

const keep: Outcome = { decision: 'keep' };
const move = (to: PlanStatus): Outcome => ({ decision: 'move', to });
const refuse = (because: string): Outcome => ({ decision: 'refuse', because });

type LivingStatus = Exclude<PlanStatus, 'deleted'>;

const TABLE: Record<PlanActionName, Record<LivingStatus, Outcome>> = {
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
    implemented: refuse('The plan is implemented already.'),
    closed: refuse('The plan is closed; reopen it first.'),
  },
  'withdraw-approval': {
    pending: refuse('The plan is not approved.'),
    approved: move('pending'),
    implemented: refuse('The plan is implemented already.'),
    closed: refuse('The plan is closed; reopen it first.'),
  },
  'request-changes': {
    pending: keep,
    approved: move('pending'),
    implemented: refuse('The plan is implemented already; post a comment instead.'),
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
