/** Pull requests of a fake GitHub, kept in sync both ways. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { shownHere, shownOnHost } from '../../../../test/code-hosts/compare-with-host.ts';
import { connectHost } from '../../../../test/code-hosts/connected.ts';
import type { FakePullRequest } from '../../../../test/code-hosts/fake-model.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { postPlan } from '../../../../test/helpers/rows/plans.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { changeDiscussion } from '../../discussions/change-discussion.ts';
import { deleteComment } from '../../discussions/comments/delete-comment.ts';
import { editDiscussionComment } from '../../discussions/edit-discussion-comment.ts';
import { insertPendingComment } from '../../discussions/pending/pending-store.ts';
import { submitPendingReview } from '../../discussions/pending/submit-pending-review.ts';
import { replyToDiscussion } from '../../discussions/reply-to-discussion.ts';
import { commentOnPullRequest } from '../../pull-requests/changes/comment-on-pull-request.ts';
import { reviewPullRequest } from '../../pull-requests/changes/review-pull-request.ts';
import { getPullRequest } from '../../pull-requests/reading/get-pull-request.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db } = service;
const as = withSession(acme.member);
const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
const { fake, model } = host;
afterAll(() => fake.close());
afterEach(() => {
  fake.intercept(null);
  expect(fake.problems.splice(0)).toEqual([]);
});
const ada = model.account('ada');
const grace = model.account('grace');
const { id: repositoryId, there } = await host.repository('acme/api');
const DIFF = { 'src/a.ts': { new: [10, 11, 12], old: [9, 10] } };
const PLACE = { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 11 } as const;
let commits = 0;
const commit = () => {
  commits += 1;
  return String(commits).padStart(40, 'a');
};

const open = () => model.openPullRequest(there, { author: ada, commit: commit(), diff: DIFF });
async function expectInStep(pullRequest: FakePullRequest): Promise<void> {
  expect(await shownHere(db, repositoryId, pullRequest.number)).toEqual(shownOnHost(pullRequest));
}
async function deliverAll(): Promise<void> {
  for (const delivery of fake.deliveries.splice(0)) expect(await host.send(delivery)).toBe(204);
}
async function catchUp(): Promise<void> {
  await deliverAll();
  await host.work();
}
const idOf = async ({ number }: FakePullRequest) =>
  (
    await db
      .selectFrom('pull_requests')
      .select('id')
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
  ).id;
const discussionOf = async (pullRequest: FakePullRequest) =>
  db
    .selectFrom('discussions')
    .selectAll()
    .where('pull_request_id', '=', await idOf(pullRequest))
    .executeTakeFirstOrThrow();

describe('a pull request of the host', () => {
  it('has here what it has there, through its whole life', async () => {
    const pullRequest = open();
    const thread = model.startThread(pullRequest, grace, PLACE, 'Why?');
    model.comment(pullRequest, ada, 'Ready for review');
    model.change(pullRequest, { labels: ['bug', 'later'], requestedReviewers: [grace] });
    await catchUp();
    await expectInStep(pullRequest);
    const reply = model.reply(pullRequest, thread, ada, 'Because');
    model.push(pullRequest, commit());
    model.change(pullRequest, { title: 'Better title', requestedReviewers: [] });
    model.resolve(pullRequest, thread, ada);
    model.review(pullRequest, grace, { state: 'approved', body: 'Nice' });
    await catchUp();
    await expectInStep(pullRequest);
    model.edit(pullRequest, reply, 'Because of the cache');
    model.resolve(pullRequest, thread, null);
    model.close(pullRequest, 'closed');
    await catchUp();
    await expectInStep(pullRequest);
    model.reopen(pullRequest);
    model.remove(pullRequest, reply);
    await catchUp();
    await expectInStep(pullRequest);
    model.remove(pullRequest, thread.comments[0]!);
    model.close(pullRequest, 'merged');
    await catchUp();
    await expectInStep(pullRequest);
    const { body } = await service.request(
      'GET',
      `/api/v2/pull-requests/${await idOf(pullRequest)}/activity`,
      { as },
    );
    expect(body.events.map((event: { kind: string }) => event.kind)).toContain('pull_request_state_changed');
  });
});

it('stores no token that somebody writes there, and takes it for no edit at the next sync', async () => {
  // Put together, so that scanners of this repository leave it alone.
  const said = `Why is ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'} here?`;
  const pullRequest = open();
  model.change(pullRequest, { title: said, body: said });
  const thread = model.startThread(pullRequest, grace, PLACE, said);
  model.reply(pullRequest, thread, ada, said);
  model.comment(pullRequest, ada, said);
  model.review(pullRequest, grace, { state: 'approved', body: said });
  await catchUp();
  const id = await idOf(pullRequest);
  const read = async (path: string) =>
    JSON.stringify((await service.request('GET', `/api/v2/pull-requests/${id}${path}`, { as })).body);
  const before = await read('/activity');
  model.change(pullRequest, { labels: ['again'] });
  await catchUp();
  for (const path of ['', '/discussions', '/activity']) expect(await read(path)).not.toContain(said);
  expect(await read('/discussions')).toContain('Why is ghp_… here?');
  expect(await read('')).toContain('Why is ghp_… here?');
  expect(await read('/activity')).toBe(before);
});

describe('a plan linked to a number that is not known here', () => {
  const link = async (prNumber: number) => {
    const { body: plan } = await postPlan(service, acme.member, { repoNames: ['acme/api'] });
    const body = { prNumber };
    return service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, { as, body });
  };

  it('is accepted if the host has it, which is asked once for all, and refused with near ones if not', async () => {
    const known = open();
    await catchUp();
    const late = open();
    fake.deliveries.length = 0;
    const before = fake.requests.length;
    const answers = await Promise.all([link(late.number), link(late.number), link(late.number)]);
    expect(answers.map(({ body, status }) => [status, body.status])).toEqual(
      Array.from({ length: 3 }, () => [200, 'implemented']),
    );
    const asked = fake.requests.slice(before).map(({ path }) => path);
    expect(asked.filter((path) => path.endsWith(`/pulls/${late.number}`)).length).toBeLessThanOrEqual(3);
    await host.work();
    await expectInStep(late);
    const wrong = await link(late.number + 50);
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'prNumber']);
    expect(wrong.body.errors[0].message).toMatch(
      new RegExp(`^is not a pull request of acme/api; the nearest are .*#${known.number}, #${late.number}$`),
    );
  });

  it('is accepted if the host cannot say', async () => {
    fake.intercept((_request, response) => {
      response.writeHead(500).end('{}');
      return true;
    });
    expect((await link(4711)).status).toBe(200);
  });
});

it('an approval on the host is for the base branch of that time, also after the next sync', async () => {
  const pullRequest = open();
  await catchUp();
  const id = await idOf(pullRequest);
  const read = async () => (await service.request('GET', `/api/v2/pull-requests/${id}`, { as })).body.verdict;
  model.review(pullRequest, grace, { state: 'approved', body: 'Nice' });
  await catchUp();
  expect(await read()).toBe('approved');
  model.change(pullRequest, { base: { branch: 'release', commit: 'd'.repeat(40) } });
  await catchUp();
  expect(await read()).toBeNull();
  await host.becomeDue();
  await host.work();
  expect(await read()).toBeNull();
  model.review(pullRequest, grace, { state: 'approved', body: 'For this one too' });
  await catchUp();
  expect(await read()).toBe('approved');
});

it('shows whether the merge rule is met as a check, once for each state, and again after a crash', async () => {
  const pullRequest = open();
  await catchUp();
  const id = await idOf(pullRequest);
  const checks = () =>
    there.statuses
      .filter(({ commit: on, name }) => on === pullRequest.head.commit && name === 'Countersign: approved')
      .map(({ state, title }) => [state, title]);
  const sent = () =>
    fake.requests.filter(({ body }) => JSON.stringify(body)?.includes('Countersign: approved')).length;
  const said = async (verdict: string, person: Person) => {
    const body = { verdict, note: 'x', commit: pullRequest.head.commit };
    await service.request('POST', `/api/v2/pull-requests/${id}/reviews`, { as: withSession(person), body });
    await host.work();
  };
  await said('commented', acme.owner);
  expect(checks()).toEqual([]);
  await service.request('PUT', '/api/v2/merge-rules', {
    as: withSession(acme.admin),
    body: { repositoryId, pattern: 'main', approvals: 1 },
  });
  await host.work();
  expect(checks()).toEqual([['pending', '1 approval needed']]);
  await said('changes_requested', acme.owner);
  expect(checks()).toEqual([['failure', `1 approval needed; ${acme.owner.name} requested changes`]]);
  await said('approved', acme.owner);
  expect(checks()).toEqual([['success', `Approved by ${acme.owner.name}; No changes requested`]]);
  const before = sent();
  await said('commented', acme.member);
  expect(sent()).toBe(before);
  // Posted, but the service died before it was written down: the host has one check, as before.
  await db
    .updateTable('approval_checks')
    .set({ sending: 'waiting' })
    .where('pull_request_id', '=', id)
    .execute();
  await host.work();
  expect([checks().length, sent()]).toEqual([1, before + 1]);
  model.push(pullRequest, commit());
  await catchUp();
  expect(checks()).toEqual([['pending', `1 approval needed`]]);
  await service.request('DELETE', `/api/v2/merge-rules/${await ruleId()}`, { as: withSession(acme.admin) });
});

const ruleId = async () =>
  (await service.request('GET', '/api/v2/merge-rules', { as })).body.rules[0].id as string;

describe('what is written here', () => {
  it('appears on the host for the person, once, and is recognized there', async () => {
    const pullRequest = open();
    const thread = model.startThread(pullRequest, grace, PLACE, 'Why?');
    await catchUp();
    const discussion = await discussionOf(pullRequest);
    const id = await idOf(pullRequest);
    await service.call(replyToDiscussion, { discussionId: discussion.id, body: 'Because' }, as);
    const image = `![chart](/api/v2/images/${id})`;
    await service.call(commentOnPullRequest, { pullRequestId: id, body: `Looks good ${image}` }, as);
    await service.call(changeDiscussion, { discussionId: discussion.id, status: 'resolved' }, as);
    await service.call(
      reviewPullRequest,
      { pullRequestId: id, verdict: 'approved', note: 'Fine', commit: pullRequest.head.commit },
      as,
    );
    await host.work();
    const name = acme.member.name;
    expect(thread.comments[1]!.body).toMatch(
      new RegExp(
        `^\\*\\*${name}\\*\\* \\(via Countersign\\):\n\nBecause\n\n<!-- countersign:[0-9a-f-]+ -->$`,
      ),
    );
    expect(thread.comments[1]!.author).toBe(host.bot);
    expect(thread.resolvedBy).toBe(host.bot);
    expect(pullRequest.comments).toHaveLength(1);
    // The host's readers needn't be ours.
    expect(pullRequest.comments[0]!.body).toMatch(
      /Looks good \[chart \(image, for members of Countersign who can read this pull request\)\]\(http\S+#image-/,
    );
    expect(pullRequest.reviews.at(-1)).toMatchObject({ state: 'approved', author: host.bot });
    expect(pullRequest.reviews.at(-1)!.body).toContain(`**${name}** (via Countersign) approved`);
    await catchUp();
    await host.becomeDue();
    await host.work();
    await expectInStep(pullRequest);
    expect(thread.comments).toHaveLength(2);
    const { rows } = {
      rows: await db
        .selectFrom('pull_request_comments')
        .select(['sending', 'body'])
        .where('pull_request_id', '=', id)
        .execute(),
    };
    expect(rows.map(({ sending }) => sending).sort()).toEqual(['none', 'sent', 'sent']);
    expect(rows.map(({ body }) => body)).toContain(`Looks good ${image}`);
  });

  it('is one review there if it was submitted as one, with a reply after it', async () => {
    const pullRequest = open();
    const thread = model.startThread(pullRequest, grace, PLACE, 'Why?');
    await catchUp();
    const { id: discussionId } = await discussionOf(pullRequest);
    const pullRequestId = await idOf(pullRequest);
    const organization = { organizationId: acme.id, pullRequestId, userId: acme.member.userId };
    const row = { commentedCode: '', at: new Date(), side: 'new', startLine: 10, endLine: 10 } as const;
    const [line, other, reply] = [uuidv7(), uuidv7(), uuidv7()];
    const place = { ...row, file: 'src/a.ts', commit: pullRequest.head.commit };
    await insertPendingComment(db, organization, { ...place, id: line, discussionId: null, body: 'One' });
    const next = { ...place, startLine: 12, endLine: 12, discussionId: null, body: 'Two' };
    await insertPendingComment(db, organization, { ...next, id: other });
    await insertPendingComment(db, organization, { ...place, id: reply, discussionId, body: 'Three' });
    await host.work();
    expect([pullRequest.reviews.length, pullRequest.threads.length]).toEqual([1, 1]);
    const review = { pullRequestId, verdict: 'changes_requested', note: 'See below' } as const;
    await service.call(
      submitPendingReview,
      { ...review, commit: pullRequest.head.commit, commentIds: [line, other, reply] },
      as,
    );
    await host.work();
    await catchUp();
    await host.becomeDue();
    await host.work();
    const posted = pullRequest.reviews.filter(({ author }) => author === host.bot);
    expect(posted).toMatchObject([
      { state: 'changes_requested', body: expect.stringContaining('See below') },
    ]);
    const threads = pullRequest.threads.filter((each) => each !== thread);
    expect(threads.map((each) => [each.review === posted[0], each.comments.length])).toEqual([
      [true, 1],
      [true, 1],
    ]);
    expect(thread.comments).toHaveLength(2);
    await expectInStep(pullRequest);
    const rows = await db
      .selectFrom('pull_request_comments')
      .select('sending')
      .where('pull_request_id', '=', pullRequestId)
      .execute();
    expect(rows.map(({ sending }) => sending).sort()).toEqual(['none', 'sent', 'sent', 'sent']);
  });

  it('is edited on the host; an edit there is taken over here', async () => {
    const pullRequest = open();
    const thread = model.startThread(pullRequest, grace, PLACE, 'Why?');
    await catchUp();
    const { id: discussionId } = await discussionOf(pullRequest);
    const { body } = await service.call(replyToDiscussion, { discussionId, body: 'Because' }, as);
    const commentId = body.comments.at(-1).id;
    await host.work();
    await service.call(editDiscussionComment, { discussionId, commentId, body: 'Because of the cache' }, as);
    await host.work();
    expect(thread.comments).toHaveLength(2);
    expect(thread.comments[1]!.body).toContain('Because of the cache');
    await expectInStep(pullRequest);
    model.edit(pullRequest, thread.comments[1]!, 'Rewritten there');
    await catchUp();
    await expectInStep(pullRequest);
  });

  it('is deleted on the host when it is deleted here, also after lost replies and when its place was never recorded', async () => {
    const pullRequest = open();
    const thread = model.startThread(pullRequest, grace, PLACE, 'Why?');
    await catchUp();
    const { id: discussionId } = await discussionOf(pullRequest);
    const pullRequestId = await idOf(pullRequest);
    const remove = async (commentId: string) => {
      const { status } = await service.call(deleteComment, { pullRequestId, commentId }, as);
      expect(status).toBe(200);
    };
    const removals = () => db.selectFrom('comment_removals').select('comment_id').execute();
    const { body: replied } = await service.call(replyToDiscussion, { discussionId, body: 'Because' }, as);
    const general = async (text: string) => {
      const { body } = await service.call(commentOnPullRequest, { pullRequestId, body: text }, as);
      return body.conversation.at(-1).id as string;
    };
    const [first, unsent] = [await general('General'), await general('Not recorded')];
    await host.work();
    expect([thread.comments.length, pullRequest.comments.length]).toEqual([2, 2]);
    // As after a crash between posting and recording.
    const waiting = { sending: 'waiting', host_comment_id: null } as const;
    await db.updateTable('pull_request_comments').set(waiting).where('id', '=', unsent).execute();
    for (const id of [replied.comments.at(-1).id, first, unsent]) await remove(id);
    expect(await removals()).toHaveLength(3);
    let failures = 0;
    fake.intercept(({ method }, response) => {
      if (method !== 'DELETE' || failures === 4) return false;
      failures += 1;
      response.writeHead(502).end();
      return true;
    });
    await host.work();
    expect([thread.comments.length, pullRequest.comments.length, failures]).toEqual([2, 2, 4]);
    expect(await removals()).toHaveLength(3);
    // Deleted there at the same time.
    model.remove(pullRequest, pullRequest.comments[0]!);
    await catchUp();
    await host.becomeDue();
    await host.work();
    expect([thread.comments.length, pullRequest.comments.length]).toEqual([1, 0]);
    expect(await removals()).toEqual([]);
    await expectInStep(pullRequest);
    const { body: read } = await service.call(getPullRequest, { pullRequestId }, as);
    expect(read).toMatchObject({ comments: 1, conversation: [], deletedComments: [{}, {}] });
  });

  it('stays as a comment of the host that refuses to delete it, and what was written there is deleted there', async () => {
    const pullRequest = open();
    model.comment(pullRequest, grace, 'Written there');
    await catchUp();
    const pullRequestId = await idOf(pullRequest);
    const said = await service.call(commentOnPullRequest, { pullRequestId, body: 'Written here' }, as);
    const [there, here] = said.body.conversation;
    await host.work();
    const remove = (commentId: string) => service.call(deleteComment, { pullRequestId, commentId }, as);
    expect([(await remove(there.id)).status, (await remove(here.id)).status]).toEqual([403, 200]);
    fake.intercept(({ method }, response) => {
      if (method !== 'DELETE') return false;
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}');
      return true;
    });
    await host.work();
    await host.becomeDue();
    await host.work();
    expect(await db.selectFrom('comment_removals').select('comment_id').execute()).toEqual([]);
    const { body } = await service.call(getPullRequest, { pullRequestId }, as);
    expect(body.conversation).toMatchObject([
      { author: { name: grace.name } },
      { author: { name: host.bot.name }, body: expect.stringContaining('Written here'), reactions: null },
    ]);
  });
});
