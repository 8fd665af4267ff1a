/** The review state of plans: in the list, its filters, on the plan itself and in the counts. */
import { describe, expect, it } from 'vitest';
import { act, type PostedPlan, postPlan, postVersion, read } from '../../../../test/helpers/rows/plans.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { member: author } = acme;
const [ann, ben] = await Promise.all(['Ann', 'Ben'].map(makeReviewer));

async function makeReviewer(name: string): Promise<Person> {
  const user = await makeUser(db, { name, email: `${name.toLowerCase()}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}

const plan = async () => (await postPlan(service, author)).body;
const requestChanges = (person: Person, to: PostedPlan) =>
  act(service, person, to, 'request-changes', { versionId: to.versionId, note: 'Say why.' });
const approve = (person: Person, of: PostedPlan) =>
  act(service, person, of, 'approve', { versionId: of.versionId });
const requestReview = (of: PostedPlan, person: Person) =>
  act(service, author, of, 'review-requests', { userIds: [person.userId] });

const counts = async (person: Person) =>
  (await service.request('GET', '/api/v2/plans/review-counts', { as: withSession(person) })).body;
const list = async (person: Person, query: string) =>
  (await service.request('GET', `/api/v2/plans?limit=200&${query}`, { as: withSession(person) })).body.plans;
const isListed = async (person: Person, query: string, of: PostedPlan) =>
  (await list(person, query)).some(({ seriesId }: PostedPlan) => seriesId === of.seriesId);

/** As the list and the plan say it, which must agree. */
async function reviewOf(of: PostedPlan, person = ann!) {
  const { needsMyReview, reviewState, status } = (await read(service, person, of)).body;
  const row = (await list(person, '')).find(({ seriesId }: PostedPlan) => seriesId === of.seriesId);
  expect([row.reviewState, row.needsMyReview]).toEqual([reviewState, needsMyReview]);
  const filters = ['awaiting_review', 'changes_requested', 'needs_my_review'];
  const listed = await Promise.all(filters.map((review) => isListed(person, `review=${review}`, of)));
  expect(listed).toEqual([
    status === 'pending' && reviewState === 'awaiting_review',
    status === 'pending' && reviewState === 'changes_requested',
    needsMyReview,
  ]);
  return [reviewState, needsMyReview];
}

describe('the review state', () => {
  it('is changes_requested until other content is posted; the same content keeps it', async () => {
    const first = await plan();
    expect(await reviewOf(first)).toEqual(['awaiting_review', false]);
    await requestChanges(ann!, first);
    expect(await reviewOf(first)).toEqual(['changes_requested', false]);
    await postVersion(service, author, first, (await read(service, author, first)).body.content);
    expect(await reviewOf(first)).toEqual(['changes_requested', false]);
    await postVersion(service, author, first, '# With a reason');
    expect(await reviewOf(first)).toEqual(['awaiting_review', true]);
  });

  it('is approved once someone approves, and awaiting_review when that is withdrawn', async () => {
    const first = await plan();
    await requestChanges(ann!, first);
    await approve(ben!, first);
    expect(await reviewOf(first)).toEqual(['approved', false]);
    await act(service, ben!, first, 'withdraw-approval');
    expect(await reviewOf(first)).toEqual(['awaiting_review', false]);
  });

  it('is null for a closed plan; an implemented one waits for those who were asked until someone approves it', async () => {
    const [closed, implemented] = [await plan(), await plan()];
    await requestChanges(ann!, closed);
    await act(service, author, closed, 'close');
    expect(await reviewOf(closed)).toEqual([null, false]);
    await requestReview(implemented, ann!);
    await act(service, author, implemented, 'pull-requests', { prNumber: 7 });
    expect(await reviewOf(implemented)).toEqual(['awaiting_review', true]);
    const before = await counts(ann!);
    await approve(ben!, implemented);
    expect(await reviewOf(implemented)).toEqual(['approved', false]);
    expect((await counts(ann!)).needsMyReview).toBe(before.needsMyReview - 1);
  });

  it('is changes_requested for both of two people who decide at once, or approved for both', async () => {
    const first = await plan();
    await Promise.all([requestChanges(ann!, first), approve(ben!, first)]);
    const [state] = await reviewOf(first);
    const { status } = (await read(service, author, first)).body;
    expect([state, status]).toEqual(
      state === 'approved' ? ['approved', 'approved'] : ['changes_requested', 'pending'],
    );
  });
});

describe('an awaited review', () => {
  it('is asked of the person named, until they review', async () => {
    const first = await plan();
    await requestReview(first, ann!);
    expect(await reviewOf(first)).toEqual(['awaiting_review', true]);
    expect(await reviewOf(first, ben!)).toEqual(['awaiting_review', false]);
    await requestChanges(ann!, first);
    expect(await reviewOf(first)).toEqual(['changes_requested', false]);
  });

  it('is asked again of everyone who reviewed the content that was replaced, but not of who posts', async () => {
    const first = await plan();
    await approve(ann!, first);
    await approve(ben!, first);
    const second = await postVersion(service, ben!, first, '# Other content');
    expect(await reviewOf(second)).toEqual(['awaiting_review', true]);
    expect(await reviewOf(second, ben!)).toEqual(['awaiting_review', false]);
    const { reviewRequests } = (await read(service, author, first)).body;
    expect(reviewRequests).toMatchObject([{ reviewer: { name: 'Ann' }, requestedBy: { name: 'Ben' } }]);
  });

  it('is not asked of someone whose approval was withdrawn', async () => {
    const first = await plan();
    await approve(ann!, first);
    await act(service, ann!, first, 'withdraw-approval');
    await postVersion(service, author, first, '# Other content');
    expect(await reviewOf(first)).toEqual(['awaiting_review', false]);
  });
});

describe('the counts', () => {
  it('are what the lists hold, for a reviewer and for an author', async () => {
    const [first, second] = [await plan(), await plan()];
    await requestReview(first, ann!);
    await requestChanges(ben!, second);
    for (const person of [ann!, ben!, author]) {
      expect(await counts(person)).toEqual({
        needsMyReview: (await list(person, 'review=needs_my_review')).length,
        changesRequested: (await list(person, `review=changes_requested&authorId=${person.userId}`)).length,
      });
    }
    expect((await counts(ann!)).needsMyReview).toBeGreaterThan(0);
    expect((await counts(author)).changesRequested).toBeGreaterThan(0);
  });

  it('are zero in another organization', async () => {
    expect(await counts(globex.member)).toEqual({ needsMyReview: 0, changesRequested: 0 });
  });
});
