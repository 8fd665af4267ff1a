/** Who may change whom: the rules as a table, and sequences of changes compared with a model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../../platform/core/operations/actor.ts';
import { checkMemberChange, type MemberState, mayInvite, possibleChanges } from './member-rules.ts';

const active = (role: Role): MemberState => ({ role, active: true });
const inactive = (role: Role): MemberState => ({ role, active: false });

/** By, from, to, active owners, verdict. */
const TABLE: [Role, MemberState, MemberState, number, 'allowed' | 'forbidden' | 'conflict'][] = [
  ['viewer', active('viewer'), active('member'), 1, 'forbidden'],
  ['member', active('viewer'), active('member'), 1, 'forbidden'],
  ['member', active('viewer'), inactive('viewer'), 1, 'forbidden'],
  ['admin', active('viewer'), active('member'), 1, 'allowed'],
  ['admin', active('member'), active('admin'), 1, 'allowed'],
  ['admin', active('admin'), active('viewer'), 1, 'allowed'],
  ['admin', active('admin'), inactive('admin'), 1, 'allowed'],
  ['admin', inactive('member'), active('member'), 1, 'allowed'],
  ['admin', active('member'), active('owner'), 1, 'forbidden'],
  ['admin', active('admin'), active('owner'), 2, 'forbidden'],
  ['admin', active('owner'), active('member'), 2, 'forbidden'],
  ['admin', active('owner'), inactive('owner'), 2, 'forbidden'],
  ['admin', inactive('owner'), active('owner'), 1, 'forbidden'],
  ['admin', inactive('owner'), inactive('member'), 1, 'forbidden'],
  ['owner', active('member'), active('owner'), 1, 'allowed'],
  ['owner', inactive('member'), active('owner'), 1, 'allowed'],
  ['owner', active('owner'), active('member'), 2, 'allowed'],
  ['owner', active('owner'), inactive('owner'), 2, 'allowed'],
  ['owner', active('owner'), active('admin'), 1, 'conflict'],
  ['owner', active('owner'), inactive('owner'), 1, 'conflict'],
  ['owner', active('owner'), inactive('viewer'), 1, 'conflict'],
  ['owner', inactive('owner'), inactive('member'), 1, 'allowed'],
];

describe('a change', () => {
  it.each(TABLE)('by %s from %o to %o with %i active owners is %s', (by, from, to, owners, wanted) => {
    const verdict = checkMemberChange(by, from, to, owners);
    expect(verdict.allowed ? 'allowed' : verdict.code).toBe(wanted);
  });
});

describe('what is offered', () => {
  it('is what the change itself would allow, for every role, member and number of owners', () => {
    for (const by of ROLES)
      for (const state of ROLES.flatMap((role) => [active(role), inactive(role)]))
        for (const owners of [1, 2]) {
          const allows = (to: Partial<MemberState>) =>
            checkMemberChange(by, state, { ...state, ...to }, owners).allowed;
          expect(possibleChanges(by, state, owners)).toEqual({
            deactivate: state.active && allows({ active: false }),
            reactivate: !state.active && allows({ active: true }),
            changeRoleTo: ROLES.filter((role) => role !== state.role && allows({ role })),
          });
        }
    expect(possibleChanges('owner', active('owner'), 1)).toEqual({
      deactivate: false,
      reactivate: false,
      changeRoleTo: [],
    });
    expect(possibleChanges('admin', active('member'), 1).changeRoleTo).toEqual(['viewer', 'admin']);
  });
});

describe('an invitation', () => {
  it.each(ROLES)('by %s goes to roles that they may hand out', (by) => {
    const invitable = ROLES.filter((role) => mayInvite(by, role));
    expect(invitable).toEqual(
      { viewer: [], member: [], admin: ['viewer', 'member', 'admin'], owner: [...ROLES] }[by],
    );
  });
});

describe('any sequence of changes', () => {
  const role = fc.constantFrom(...ROLES);
  const person = fc.nat({ max: 5 });
  const step = fc.record({
    by: person,
    target: person,
    role: fc.option(role, { nil: undefined }),
    active: fc.option(fc.boolean(), { nil: undefined }),
  });
  const start = fc
    .array(fc.record({ role, active: fc.boolean() }), { minLength: 6, maxLength: 6 })
    .map((people) => [active('owner'), ...people.slice(1)]);

  it('keeps an active owner, lets only owners change owners, and grants no role above that of the caller', () => {
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 60 }), (people, steps) => {
        const state = people.map((entry) => ({ ...entry }));
        for (const { by, target, ...change } of steps) {
          const actor = state[by]!;
          if (!actor.active) continue;
          const from = state[target]!;
          const to = { role: change.role ?? from.role, active: change.active ?? from.active };
          const owners = state.filter((entry) => entry.role === 'owner' && entry.active).length;
          const actorRole = actor.role;
          const verdict = checkMemberChange(actorRole, from, to, owners);
          if (!verdict.allowed) continue;
          if (actorRole === 'viewer' || actorRole === 'member') expect.fail(`${actorRole} changed someone`);
          if (actorRole === 'admin') expect([from.role, to.role]).not.toContain('owner');
          expect(ROLES.indexOf(to.role)).toBeLessThanOrEqual(ROLES.indexOf(actorRole));
          state[target] = to;
          expect(state.some((entry) => entry.role === 'owner' && entry.active)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('lets an owner do everything but remove the last active owner', () => {
    fc.assert(
      fc.property(fc.record({ role, active: fc.boolean() }), role, fc.boolean(), (from, toRole, toActive) => {
        const to = { role: toRole, active: toActive };
        const isOwner = (entry: MemberState) => entry.role === 'owner' && entry.active;
        expect(checkMemberChange('owner', from, to, 2).allowed).toBe(true);
        expect(checkMemberChange('owner', from, to, 1).allowed).toBe(!(isOwner(from) && !isOwner(to)));
      }),
    );
  });
});
