/** The state machine compared with a model of the status table, over generated sequences of actions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAN_STATUSES, type PlanStatus } from '../contract.ts';
import { decideStatus, type PlanActionName } from './plan-status.ts';

/** The table of decisions, as written there: from, trigger, to. What is not in it leaves the status or is refused. */
const DECIDED: [PlanStatus[], PlanActionName, PlanStatus][] = [
  [['pending'], 'approve', 'approved'],
  [['approved'], 'withdraw-approval', 'pending'],
  [['approved'], 'add-version', 'pending'],
  [['pending'], 'link-pull-request', 'implemented'],
  [['approved'], 'merge-pull-request', 'implemented'],
  [['approved'], 'mark-implemented', 'implemented'],
  [['implemented', 'closed'], 'add-version', 'pending'],
  [['pending', 'approved', 'implemented'], 'close', 'closed'],
  [['closed'], 'reopen', 'pending'],
  [['pending', 'approved', 'implemented', 'closed'], 'delete', 'deleted'],
  // Our own: asking for changes takes an approval back.
  [['approved'], 'request-changes', 'pending'],
];

const ACTIONS: PlanActionName[] = [
  'add-version',
  'add-same-version',
  'approve',
  'withdraw-approval',
  'request-changes',
  'link-pull-request',
  'merge-pull-request',
  'mark-implemented',
  'close',
  'reopen',
  'delete',
];

/** Allowed for agents and jobs in every status; for people, an action that does not fit the status is refused. */
const NEVER_REFUSED = new Set<PlanActionName>([
  'add-version',
  'add-same-version',
  'link-pull-request',
  'merge-pull-request',
  'delete',
]);

const modelOf = (status: PlanStatus, action: PlanActionName) =>
  DECIDED.find(([from, trigger]) => from.includes(status) && trigger === action)?.[2];

function apply(status: PlanStatus, action: PlanActionName): PlanStatus {
  const outcome = decideStatus(status, action);
  return outcome.decision === 'move' ? outcome.to : status;
}

const sequences = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 40 });

describe('decideStatus', () => {
  it('changes exactly as the table says, in every status', () => {
    for (const status of PLAN_STATUSES) {
      for (const action of ACTIONS) {
        const outcome = decideStatus(status, action);
        const to = outcome.decision === 'move' ? outcome.to : undefined;
        expect([status, action, to]).toEqual([status, action, modelOf(status, action)]);
      }
    }
  });

  it('follows the model through any sequence of actions', () => {
    fc.assert(
      fc.property(sequences, (actions) => {
        let ours: PlanStatus = 'pending';
        let model: PlanStatus = 'pending';
        for (const action of actions) {
          ours = apply(ours, action);
          model = modelOf(model, action) ?? model;
          expect(ours).toBe(model);
        }
      }),
    );
  });

  it('is approved only when the last action that mattered was an approval', () => {
    fc.assert(
      fc.property(sequences, (actions) => {
        let status: PlanStatus = 'pending';
        let approved = false;
        for (const action of actions) {
          const outcome = decideStatus(status, action);
          if (outcome.decision === 'move') approved = action === 'approve';
          status = apply(status, action);
          expect(status === 'approved').toBe(approved);
        }
      }),
    );
  });

  it('never leaves deleted, where every action is refused', () => {
    fc.assert(
      fc.property(sequences, sequences, (before, after) => {
        const status = [...before, 'delete' as const, ...after].reduce(apply, 'pending' as PlanStatus);
        expect(status).toBe('deleted');
        for (const action of ACTIONS) expect(decideStatus('deleted', action).decision).toBe('refuse');
      }),
    );
  });

  it('never changes a status to itself, and gives a full sentence with every refusal', () => {
    for (const status of PLAN_STATUSES) {
      for (const action of ACTIONS) {
        const outcome = decideStatus(status, action);
        if (outcome.decision === 'move') expect(outcome.to).not.toBe(status);
        if (outcome.decision === 'refuse') expect(outcome.because).toMatch(/^[A-Z].*\.$/);
        if (status !== 'deleted' && NEVER_REFUSED.has(action)) expect(outcome.decision).not.toBe('refuse');
      }
    }
  });

  it('keeps the status when a version has the same content', () => {
    for (const status of PLAN_STATUSES.filter((each) => each !== 'deleted')) {
      expect(decideStatus(status, 'add-same-version')).toEqual({ decision: 'keep' });
    }
  });
});
