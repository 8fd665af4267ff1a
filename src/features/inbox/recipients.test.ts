/** The recipients of plan events: each rule, and the invariants. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INBOX_KINDS } from './contract.ts';
import { interestedInPlanEvent, PLAN_INBOX_EVENTS, type PlanEventFacts } from './plan-interest.ts';
import { type NotifiableEvent, recipientsOf } from './recipients.ts';

type EventFacts = PlanEventFacts & Pick<NotifiableEvent, 'actorId' | 'activeIds'>;

const PEOPLE = ['ada', 'bob', 'cyd', 'dee', 'eve'];
const [ADA, BOB, CYD, DEE] = PEOPLE as [string, string, string, string];

function facts(some: Partial<EventFacts>): EventFacts {
  return {
    kind: 'comment_added',
    actorId: BOB,
    planCreatorId: ADA,
    versionAuthorId: null,
    isReply: false,
    threadAuthorIds: [],
    mutedIds: new Set(),
    askedIds: [],
    reviewerIds: [],
    unchanged: false,
    activeIds: new Set(PEOPLE),
    ...some,
  };
}
const recipients = (given: EventFacts) =>
  recipientsOf({ ...given, interested: interestedInPlanEvent(given) });
const notified = (some: Partial<EventFacts>) => Object.fromEntries(recipients(facts(some)));

describe('a comment', () => {
  it('notifies the creator of the plan', () => expect(notified({})).toEqual({ [ADA]: 'comment' }));
  it('by the creator notifies nobody', () => expect(notified({ actorId: ADA })).toEqual({}));
  it('on a plan of someone deactivated notifies nobody', () =>
    expect(notified({ activeIds: new Set([BOB]) })).toEqual({}));
});

describe('a reply', () => {
  const reply = { isReply: true, threadAuthorIds: [CYD, BOB, DEE] };
  it('notifies everyone who wrote in the thread, and as a comment to the creator of the plan', () =>
    expect(notified(reply)).toEqual({ [CYD]: 'reply', [DEE]: 'reply', [ADA]: 'comment' }));
  it('is a reply to the creator who wrote in the thread', () =>
    expect(notified({ ...reply, threadAuthorIds: [ADA] })).toEqual({ [ADA]: 'reply' }));
  it('notifies nobody who muted the thread, the creator included', () =>
    expect(notified({ ...reply, mutedIds: new Set([CYD, ADA]) })).toEqual({ [DEE]: 'reply' }));
  it('by the creator notifies the others in the thread', () =>
    expect(notified({ ...reply, actorId: ADA })).toEqual({ [BOB]: 'reply', [CYD]: 'reply', [DEE]: 'reply' }));
});

describe('a review', () => {
  it('request notifies the requested reviewers', () =>
    expect(notified({ kind: 'review_requested', askedIds: [CYD, DEE, BOB] })).toEqual({
      [CYD]: 'review_requested',
      [DEE]: 'review_requested',
    }));
  it.each(['approved', 'changes_requested'] as const)(
    '%s notifies the creator and the author of the version',
    (kind) => {
      expect(notified({ kind, versionAuthorId: CYD })).toEqual({ [ADA]: kind, [CYD]: kind });
      expect(notified({ kind, versionAuthorId: ADA })).toEqual({ [ADA]: kind });
      expect(notified({ kind, versionAuthorId: BOB })).toEqual({ [ADA]: kind });
    },
  );
});

describe('a new version', () => {
  const version = { kind: 'version_added', reviewerIds: [CYD, BOB, ADA] };
  it('notifies those who reviewed, were asked to or commented, but not its author', () =>
    expect(notified(version)).toEqual({ [CYD]: 'new_version', [ADA]: 'new_version' }));
  it('with the same content notifies nobody', () =>
    expect(notified({ ...version, unchanged: true })).toEqual({}));
});

describe('whatever happens', () => {
  const person = fc.constantFrom(...PEOPLE);
  const people = fc.array(person, { maxLength: 6 });
  const set = people.map((ids) => new Set(ids));
  const anyFacts: fc.Arbitrary<EventFacts> = fc.record({
    kind: fc.constantFrom(
      ...PLAN_INBOX_EVENTS,
      'plan_created',
      'status_changed',
      'comment_edited',
      'anything',
    ),
    actorId: fc.option(person),
    planCreatorId: person,
    versionAuthorId: fc.option(person),
    isReply: fc.boolean(),
    threadAuthorIds: people,
    mutedIds: set,
    askedIds: people,
    reviewerIds: people,
    unchanged: fc.boolean(),
    activeIds: set,
  });
  const kinds: ReadonlySet<string> = new Set(INBOX_KINDS);

  it('notifies nobody of their own action, nobody inactive, and nobody who muted the thread', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const result = recipients(given);
        for (const [userId, kind] of result) {
          expect(userId).not.toBe(given.actorId);
          expect(given.activeIds.has(userId)).toBe(true);
          expect(kinds.has(kind)).toBe(true);
          if (given.kind === 'comment_added') expect(given.mutedIds.has(userId)).toBe(false);
          if (kind === 'reply') expect(given.isReply && given.threadAuthorIds.includes(userId)).toBe(true);
          if (kind === 'comment') expect(userId).toBe(given.planCreatorId);
        }
        if (!PLAN_INBOX_EVENTS.has(given.kind)) expect(result.size).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('notifies everyone involved once, in any order of names', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const result = recipients(given);
        const eligible = (userId: string) => userId !== given.actorId && given.activeIds.has(userId);
        const hears = (userId: string) => eligible(userId) && !given.mutedIds.has(userId);
        if (given.kind === 'comment_added') {
          if (hears(given.planCreatorId)) expect(result.has(given.planCreatorId)).toBe(true);
          if (given.isReply) {
            for (const userId of given.threadAuthorIds.filter(hears))
              expect(result.get(userId)).toBe('reply');
          }
        }
        if (given.kind === 'review_requested') {
          expect([...result.keys()].sort()).toEqual([...new Set(given.askedIds.filter(eligible))].sort());
        }
        const reversed = {
          ...given,
          threadAuthorIds: given.threadAuthorIds.toReversed(),
          askedIds: given.askedIds.toReversed(),
          reviewerIds: given.reviewerIds.toReversed(),
        };
        expect(new Map([...recipients(reversed)].sort())).toEqual(new Map([...result].sort()));
      }),
      { numRuns: 2000 },
    );
  });
});
