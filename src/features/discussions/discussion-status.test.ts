/** The status rules of discussions, each transition and the invariants over generated histories. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS_CAUSES } from './contract.ts';
import { decideStatus, readHostChange, type StatusNow, type StatusTrigger } from './discussion-status.ts';

const TRIGGERS: StatusTrigger[] = [
  'judged_addressed',
  'proof_gone',
  'resolve',
  'dismiss',
  'auto_resolve',
  'revert',
  'reopen',
];
const OPEN: StatusNow = { status: 'open', cause: 'opened' };

function play(triggers: StatusTrigger[]): StatusNow[] {
  const states = [OPEN];
  for (const trigger of triggers) states.push(decideStatus(states.at(-1)!, trigger) ?? states.at(-1)!);
  return states;
}

describe('decideStatus', () => {
  it.each([
    [['judged_addressed'], 'addressed judge'],
    [['proof_gone'], 'addressed proof'],
    [['resolve'], 'resolved person'],
    [['dismiss'], 'resolved dismissed'],
    [['auto_resolve'], 'open opened'],
    [['revert'], 'open opened'],
    [['judged_addressed', 'auto_resolve'], 'resolved switch'],
    [['judged_addressed', 'resolve'], 'resolved person'],
    [['judged_addressed', 'revert'], 'open reverted'],
    [['judged_addressed', 'auto_resolve', 'revert'], 'open reverted'],
    [['judged_addressed', 'resolve', 'revert'], 'resolved person'],
    [['resolve', 'judged_addressed'], 'resolved person'],
    [['dismiss', 'revert'], 'resolved dismissed'],
    [['judged_addressed', 'reopen'], 'open person'],
    [['resolve', 'reopen'], 'open person'],
  ] as [StatusTrigger[], string][])('%s → %s', (triggers, expected) => {
    const { cause, status } = play(triggers).at(-1)!;
    expect(`${status} ${cause}`).toBe(expected);
  });

  it('never lets a commit reopen what a person resolved or dismissed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 12 }), (triggers) => {
        const states = play(triggers);
        triggers.forEach((trigger, index) => {
          const [before, after] = [states[index]!, states[index + 1]!];
          const closedByPerson =
            ['person', 'dismissed'].includes(before.cause) && before.status === 'resolved';
          if (closedByPerson && trigger !== 'reopen') expect(after).toEqual(before);
          if (after.status === 'addressed' && before.status !== 'addressed')
            expect(before.status).toBe('open');
          expect(STATUS_CAUSES).toContain(after.cause);
          if (decideStatus(before, trigger)) expect(after.status).not.toBe(before.status);
        });
      }),
    );
  });
});

describe('readHostChange', () => {
  it('reopens only on a change from resolved to unresolved', () => {
    expect(readHostChange(null, false)).toBeNull();
    expect(readHostChange(false, false)).toBeNull();
    expect(readHostChange(true, true)).toBeNull();
    expect(readHostChange(true, false)).toBe('reopen');
    expect(readHostChange(null, true)).toBe('resolve');
    expect(readHostChange(false, true)).toBe('resolve');
  });
});
