/** Who is told of what: the rules one by one, and what holds whatever happens. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INBOX_KINDS } from './contract.ts';
import { type EventFacts, INBOX_EVENT_KINDS, recipientsOf } from './recipients.ts';

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
const told = (some: Partial<EventFacts>) => Object.fromEntries(recipientsOf(facts(some)));

describe('a comment', () => {
  it('is told to the creator of the plan', () => expect(told({})).toEqual({ [ADA]: 'comment' }));
  it('of the creator is told to nobody', () => expect(told({ actorId: ADA })).toEqual({}));
  it('on a plan of someone deactivated is told to nobody', () =>
    expect(told({ activeIds: new Set([BOB]) })).toEqual({}));
});

describe('a reply', () => {
  const reply = { isReply: true, threadAuthorIds: [CYD, BOB, DEE] };
  it('is told to everybody who wrote in the thread, and as a comment to the creator of the plan', () =>
    expect(told(reply)).toEqual({ [CYD]: 'reply', [DEE]: 'reply', [ADA]: 'comment' }));
  it('is a reply to the creator who wrote in the thread', () =>
    expect(told({ ...reply, threadAuthorIds: [ADA] })).toEqual({ [ADA]: 'reply' }));
  it('is told to nobody who muted the thread, the creator included', () =>
    expect(told({ ...reply, mutedIds: new Set([CYD, ADA]) })).toEqual({ [DEE]: 'reply' }));
  it('of the creator is told to the others of the thread', () =>
    expect(told({ ...reply, actorId: ADA })).toEqual({ [BOB]: 'reply', [CYD]: 'reply', [DEE]: 'reply' }));
});

describe('a review', () => {
  it('that is asked for is told to those who are asked', () =>
    expect(told({ kind: 'review_requested', askedIds: [CYD, DEE, BOB] })).toEqual({
      [CYD]: 'review_requested',
      [DEE]: 'review_requested',
    }));
  it.each(['approved', 'changes_requested'] as const)(
    '%s is told to the creator and to the version’s author',
    (kind) => {
      expect(told({ kind, versionAuthorId: CYD })).toEqual({ [ADA]: kind, [CYD]: kind });
      expect(told({ kind, versionAuthorId: ADA })).toEqual({ [ADA]: kind });
      expect(told({ kind, versionAuthorId: BOB })).toEqual({ [ADA]: kind });
    },
  );
});

describe('a new version', () => {
  const version = { kind: 'version_added', reviewerIds: [CYD, BOB, ADA] };
  it('is told to those who reviewed, were asked to or commented, but not to who made it', () =>
    expect(told(version)).toEqual({ [CYD]: 'new_version', [ADA]: 'new_version' }));
  it('with the same content is told to nobody', () =>
    expect(told({ ...version, unchanged: true })).toEqual({}));
});

describe('whatever happens', () => {
  const person = fc.constantFrom(...PEOPLE);
  const people = fc.array(person, { maxLength: 6 });
  const set = people.map((ids) => new Set(ids));
  const anyFacts: fc.Arbitrary<EventFacts> = fc.record({
    kind: fc.constantFrom(
      ...INBOX_EVENT_KINDS,
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

  it('nobody is told of their own deed, nobody who is not active, and nobody of a muted thread', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const result = recipientsOf(given);
        for (const [userId, kind] of result) {
          expect(userId).not.toBe(given.actorId);
          expect(given.activeIds.has(userId)).toBe(true);
          expect(kinds.has(kind)).toBe(true);
          if (given.kind === 'comment_added') expect(given.mutedIds.has(userId)).toBe(false);
          if (kind === 'reply') expect(given.isReply && given.threadAuthorIds.includes(userId)).toBe(true);
          if (kind === 'comment') expect(userId).toBe(given.planCreatorId);
        }
        if (!INBOX_EVENT_KINDS.has(given.kind)) expect(result.size).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('everybody whom it concerns is told, once, in whatever order people are named', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const result = recipientsOf(given);
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
        expect(new Map([...recipientsOf(reversed)].sort())).toEqual(new Map([...result].sort()));
      }),
      { numRuns: 2000 },
    );
  });
});
