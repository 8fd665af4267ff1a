/** Reviews on each fake code host: one review with the new findings, one summary, a check; nothing twice. */

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../../../test/code-hosts/connected.ts';
import type { FakePullRequest } from '../../../../test/code-hosts/fake-model.ts';
import { startGiteaFake } from '../../../../test/code-hosts/gitea-fake.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startGitLabFake } from '../../../../test/code-hosts/gitlab-fake.ts';
import {
  reviewNow,
  type ScriptedChange,
  scriptedFinding,
} from '../../../../test/code-hosts/scripted-review.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import type { JudgedCandidate } from '../../../engines/review/contract/code-review.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { changeDiscussion } from '../../discussions/change-discussion.ts';
import { dismissFinding } from '../../reviews/decisions/dismiss-finding.ts';
import { syncPullRequest } from '../index.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db } = service;
const DIFF = { 'src/a.ts': { new: [10, 11, 12], old: [9, 10] } };
const ON_LINE = scriptedFinding({ line: 10 });
const ON_OLD_LINE = scriptedFinding({ subject: 'old', side: 'base', line: 9, title: 'A test was deleted' });
const NOWHERE = ['one', 'two'].map((subject) =>
  scriptedFinding({ subject, file: `src/${subject}.ts`, line: 700, title: `Far away: ${subject}` }),
);
const ELSEWHERE = scriptedFinding({
  check: 'removed_but_used',
  claim: 'removed_but_used',
  subject: 'format',
  // Gitea has one thread on a line.
  line: 10,
  title: 'A removed function is still used',
  evidence: [
    {
      ...{ side: 'head', path: 'src/pay.ts', line: 3, quote: 'format(1)' },
      repository: { id: uuidv7(), name: 'acme/secret-project', commit: 'c'.repeat(40) },
    },
  ],
});
const change = (key: string, enabled: boolean) =>
  service.request('PATCH', `/api/v2/organization/switches/${key}`, {
    as: withSession(acme.admin),
    body: { enabled },
  });
const signal = new AbortController().signal;

describe.each([
  ['github', startGitHubFake],
  ['gitlab', startGitLabFake],
  ['gitea', startGiteaFake],
] as const)('on %s', async (kind, start) => {
  const host = await connectHost(service, acme, kind, (model) => start(model));
  const { bot, fake, model } = host;
  afterAll(() => fake.close());
  afterEach(() => expect(fake.problems.splice(0)).toEqual([]));
  const ada = model.account('ada');
  const { id: repositoryId, there } = await host.repository(`acme/${kind}`);
  let commits = 0;
  const commit = () => {
    commits += 1;
    return String(commits).padStart(40, 'a');
  };
  const catchUp = async () => {
    for (const delivery of fake.deliveries.splice(0)) await host.send(delivery);
    await host.work();
  };
  const rowOf = ({ number }: FakePullRequest) =>
    db
      .selectFrom('pull_requests')
      .selectAll()
      .where('repository_id', '=', repositoryId)
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
  const open = async () => {
    const pullRequest = model.openPullRequest(there, { author: ada, commit: commit(), diff: DIFF });
    await catchUp();
    const { id } = await rowOf(pullRequest);
    return {
      pullRequest,
      id,
      review: async (candidates: JudgedCandidate[], change: ScriptedChange = {}) => {
        await reviewNow(service, acme, id, candidates, change);
        await catchUp();
      },
      summaries: () => pullRequest.comments.filter(({ author, body }) => author === bot && body.includes(id)),
      status: () => there.statuses.find((one) => one.commit === pullRequest.head.commit),
    };
  };

  it('posts the findings of a run as one review, one summary and a check, and again nothing', async () => {
    const { id, pullRequest, review, status, summaries } = await open();
    const found = [ON_LINE, ON_OLD_LINE, ELSEWHERE, ...NOWHERE];
    await review(found, { notReviewed: [{ path: 'logo.png', reason: 'binary' }] });
    expect(pullRequest.threads.filter(({ endLine }) => endLine > 0)).toHaveLength(kind === 'gitea' ? 2 : 3);
    const reviews = new Set(pullRequest.threads.map(({ review: one }) => one));
    if (kind !== 'gitlab') expect(reviews.size).toBe(1);
    const texts = [
      ...pullRequest.threads.flatMap(({ comments }) => comments.map(({ body }) => body)),
      ...pullRequest.reviews.map(({ body }) => body),
      ...pullRequest.comments.map(({ body }) => body),
      ...there.statuses.map(({ text, title }) => `${title}\n${text}`),
    ].join('\n');
    for (const { title } of NOWHERE) expect(texts).toContain(title);
    expect(texts).toContain('used in another repository');
    expect(texts).not.toContain('secret-project');
    expect(summaries().map(({ body }) => body)).toEqual([
      expect.stringMatching(
        /^\*\*Countersign: 5 open findings\*\*[\s\S]*`logo\.png`: binary[\s\S]*countersign\.example/,
      ),
    ]);
    expect(status()).toMatchObject({ name: 'Countersign', title: '5 open findings; 1 file not looked at' });
    expect(['success', 'neutral']).toContain(status()!.state);
    const before = JSON.stringify([
      pullRequest.threads.length,
      pullRequest.comments,
      pullRequest.reviews.length,
    ]);
    await host.becomeDue();
    await catchUp();
    await review(found, { notReviewed: [{ path: 'logo.png', reason: 'binary' }] });
    expect(
      JSON.stringify([pullRequest.threads.length, pullRequest.comments, pullRequest.reviews.length]),
    ).toBe(before);
    // Neither the summary nor texts that found no place are taken for comments of somebody there.
    const { discussion_count, comment_count } = await rowOf(pullRequest);
    expect([discussion_count, comment_count]).toEqual([5, 5]);
    expect(
      await db
        .selectFrom('pull_request_comments')
        .select('sending')
        .where('pull_request_id', '=', id)
        .execute(),
    ).toEqual(Array(5).fill({ sending: 'sent' }));
  });

  it('says nothing without a finding, but concludes the check of every head; a summary is edited in place', async () => {
    const { id, pullRequest, review, status, summaries } = await open();
    await review([]);
    expect(pullRequest.comments).toEqual([]);
    expect(pullRequest.reviews).toEqual([]);
    expect(status()).toMatchObject({ state: 'success', title: 'No open findings' });
    model.push(pullRequest, commit());
    await catchUp();
    await review([], { failure: new Error('broken') });
    expect(status()!.title).toBe('The review failed: The review stopped unexpectedly.');
    expect(pullRequest.comments).toEqual([]);
    model.push(pullRequest, commit());
    await catchUp();
    await review([ON_LINE]);
    const [summary] = summaries();
    const { id: discussionId } = await db
      .selectFrom('discussions')
      .select('id')
      .where('pull_request_id', '=', id)
      .executeTakeFirstOrThrow();
    await service.call(
      dismissFinding,
      { discussionId, reason: 'intended', scope: 'pull_request' },
      withSession(acme.member),
    );
    await catchUp();
    expect(summaries()).toEqual([summary]);
    expect(summary!.body).toContain('no open findings, 1 dismissed');
    expect(status()).toMatchObject({ state: 'success', title: 'No open findings' });
  });

  it('writes an empty description if the setting is on, and never touches what a person wrote', async () => {
    const off = await open();
    await off.review([]);
    expect(off.pullRequest.body).toBe('');
    await change('generate_description', true);
    const { pullRequest, review } = await open();
    await review([]);
    expect(pullRequest.body).toContain('Changes 1 file: 3 added and 1 removed lines.');
    expect(pullRequest.body).toContain('Written by Countersign');
    expect((await rowOf(pullRequest)).description).toBe(pullRequest.body);
    // Up to date after a push, as long as nobody edited it.
    await review([], { files: [{ path: 'docs/a.md', added: 7, deleted: 0 }] });
    expect(pullRequest.body).toContain('Changes 1 file: 7 added');
    model.change(pullRequest, { body: 'Mine' });
    await catchUp();
    await review([]);
    expect(pullRequest.body).toBe('Mine');
    model.change(pullRequest, { body: '' });
    await catchUp();
    await review([]);
    expect(pullRequest.body).toBe('');
    // Written there while ours was on its way.
    const raced = await open();
    await reviewNow(service, acme, raced.id, []);
    model.change(raced.pullRequest, { body: 'Just now' });
    await catchUp();
    expect(raced.pullRequest.body).toBe('Just now');
    await change('generate_description', false);
  });

  it('approves a clean pull request if the setting is on: once, and only if everything was looked at', async () => {
    const approvals = (pullRequest: FakePullRequest) =>
      pullRequest.reviews.filter(({ author, state }) => author === bot && state === 'approved').length;
    const off = await open();
    await off.review([]);
    expect(approvals(off.pullRequest)).toBe(0);
    await change('auto_approve_clean', true);
    const clean = await open();
    await clean.review([]);
    await clean.review([]);
    expect(approvals(clean.pullRequest)).toBe(1);
    const said = [...clean.pullRequest.reviews, ...clean.pullRequest.comments].map(({ body }) => body);
    expect(said.join()).toContain('**Countersign** approved this pull request.');
    const withdrawn = () =>
      [...clean.pullRequest.reviews, ...clean.pullRequest.comments].filter(({ body }) =>
        body.includes('no longer applies: there are new findings.'),
      ).length;
    expect(withdrawn()).toBe(0);
    await clean.review([ON_LINE]);
    await clean.review([ON_LINE]);
    expect(withdrawn()).toBe(1);
    // Dismissed on the host, and given again once it is clean; a newer commit needs its own approval.
    expect(approvals(clean.pullRequest)).toBe(0);
    const again = await open();
    await again.review([]);
    model.push(again.pullRequest, commit());
    await catchUp();
    await again.review([], { notReviewed: [{ path: 'logo.png', reason: 'binary' }] });
    expect(approvals(again.pullRequest)).toBe(0);
    await again.review([]);
    expect(approvals(again.pullRequest)).toBe(1);
    const rows = db.selectFrom('pull_request_verdicts').select(['verdict', 'dismissed_at', 'sending']);
    expect(
      (await rows.where('pull_request_id', '=', again.id).orderBy('created_at').orderBy('id').execute()).map(
        ({ dismissed_at, sending, verdict }) => `${verdict} ${dismissed_at !== null} ${sending}`,
      ),
    ).toEqual(['approved true sent', 'commented false sent', 'approved false sent']);
    // So does another base.
    model.change(again.pullRequest, { base: { branch: 'release', commit: 'd'.repeat(40) } });
    await catchUp();
    await again.review([], { notReviewed: [{ path: 'logo.png', reason: 'binary' }] });
    expect(approvals(again.pullRequest)).toBe(0);
    const notes = [...again.pullRequest.reviews, ...again.pullRequest.comments].map(({ body }) => body);
    expect(notes.join()).toContain('no longer applies: the base branch changed.');
    await again.review([]);
    expect(approvals(again.pullRequest)).toBe(1);
    const found = await open();
    await found.review([ON_LINE]);
    // Still open, so still not clean.
    await found.review([ON_LINE]);
    const unseen = await open();
    await unseen.review([], { notReviewed: [{ path: 'logo.png', reason: 'binary' }] });
    const failed = await open();
    await failed.review([], { failure: new Error('broken') });
    for (const { pullRequest } of [found, unseen, failed]) expect(approvals(pullRequest)).toBe(0);
    await change('auto_approve_clean', false);
  });

  it('dismisses for a linked member who replies won’t fix, and for nobody else', async () => {
    const DECLINED = scriptedFinding({ subject: 'declined' });
    const LEAK = scriptedFinding({ check: 'leaked_secret', claim: 'secret', subject: 'key', line: 12 });
    const { id, pullRequest, review } = await open();
    await review([DECLINED, LEAK]);
    const [first, leak] = [pullRequest.threads[0]!, pullRequest.threads[1]!];
    const [stranger, program] = [model.account('stranger'), model.account('helper[bot]', { bot: true })];
    const statuses = async () =>
      (
        await db
          .selectFrom('discussions')
          .select('status')
          .where('pull_request_id', '=', id)
          .orderBy('id')
          .execute()
      ).map(({ status }) => status);
    for (const author of [stranger, program]) model.reply(pullRequest, first, author, "won't fix");
    await catchUp();
    // The author of the pull request is a member too: nobody dismisses a secret of their own.
    for (const { login } of [ada, program])
      await db
        .updateTable('host_accounts')
        .set({ user_id: acme.member.userId, linked_by: 'admin', linked_at: new Date() })
        .where('code_host_id', '=', host.id)
        .where('login', '=', login)
        .execute();
    // Only GitHub says which accounts are programs.
    if (kind === 'github') model.reply(pullRequest, first, program, 'wontfix');
    model.reply(pullRequest, leak, ada, "won't fix");
    await catchUp();
    expect(await statuses()).toEqual(['open', 'open']);
    model.reply(pullRequest, first, ada, "Won't fix: it goes away next week");
    await catchUp();
    expect(await statuses()).toEqual(['resolved', 'open']);
    expect(first.resolvedBy).toBe(bot);
    const decided = db.selectFrom('finding_decisions').select(['reason', 'scope', 'note', 'decided_by']);
    expect(await decided.where('pull_request_id', '=', id).execute()).toEqual([
      {
        ...{ reason: 'not_worth_it', scope: 'repository', note: 'it goes away next week' },
        decided_by: acme.member.userId,
      },
    ]);
    const later = await open();
    await later.review([DECLINED]);
    expect(later.pullRequest.threads).toEqual([]);
  });

  it('dismisses for a linked member who reacts with 👎, once, and reviews again for one who says recheck', async () => {
    const REJECTED = scriptedFinding({ subject: 'rejected', line: 11 });
    const { id, pullRequest, review } = await open();
    await review([REJECTED]);
    const [{ comments }] = pullRequest.threads as [FakePullRequest['threads'][0]];
    const status = async () => {
      // Reactions are read with any change.
      model.comment(pullRequest, ada, 'Hm');
      await catchUp();
      const row = db.selectFrom('discussions').select(['id', 'status']).where('pull_request_id', '=', id);
      return (await row.executeTakeFirstOrThrow()).status;
    };
    comments[0]!.reactions.push({ account: model.account('stranger'), emoji: '👎' });
    comments[0]!.reactions.push({ account: ada, emoji: '🎉' });
    expect(await status()).toBe('open');
    comments[0]!.reactions.push({ account: ada, emoji: '👎' });
    expect(await status()).toBe('resolved');
    expect(pullRequest.threads[0]!.resolvedBy).toBe(bot);
    // Reopening it here counts, although the reaction is still there.
    const { id: discussionId } = await db
      .selectFrom('discussions')
      .select('id')
      .where('pull_request_id', '=', id)
      .executeTakeFirstOrThrow();
    await service.call(changeDiscussion, { discussionId, status: 'open' }, withSession(acme.member));
    expect(await status()).toBe('open');
    const due = async (account: typeof ada) => {
      model.comment(pullRequest, account, 'Recheck.');
      await catchUp();
      const { review_requested_by, review_trigger } = await rowOf(pullRequest);
      return [review_trigger, review_requested_by];
    };
    await db.updateTable('pull_requests').set({ review_trigger: null }).where('id', '=', id).execute();
    expect(await due(model.account('stranger'))).toEqual([null, null]);
    expect(await due(ada)).toEqual(['requested', acme.member.userId]);
  });

  it('pauses a check after two of its findings were dismissed as wrong, until one is reopened', async () => {
    const of = (subject: string) => scriptedFinding({ check: 'unsafe_workflow', subject, line: 11 });
    const discussionIds: string[] = [];
    for (const subject of ['one', 'two']) {
      const { id, pullRequest, review } = await open();
      await review([of(subject)]);
      expect(pullRequest.threads).toHaveLength(1);
      const { id: discussionId } = await db
        .selectFrom('discussions')
        .select('id')
        .where('pull_request_id', '=', id)
        .executeTakeFirstOrThrow();
      discussionIds.push(discussionId);
      const input = { discussionId, reason: 'wrong', scope: 'pull_request' } as const;
      await service.call(dismissFinding, input, withSession(acme.member));
    }
    const paused = await open();
    await paused.review([of('three')]);
    expect(paused.pullRequest.threads).toEqual([]);
    await service.call(
      changeDiscussion,
      { discussionId: discussionIds[0]!, status: 'open' },
      withSession(acme.member),
    );
    const resumed = await open();
    await resumed.review([of('three')]);
    expect(resumed.pullRequest.threads).toHaveLength(1);
  });

  it.each(['publish', 'setSummary', 'setCheck'] as const)(
    'posts nothing twice after a crash in %s',
    async (name) => {
      const { id, pullRequest, status, summaries } = await open();
      await reviewNow(service, acme, id, [ON_LINE, ...NOWHERE]);
      const real = host.services.codeHosts;
      const crashing = {
        ...host.services,
        codeHosts: {
          open: (...options: Parameters<typeof real.open>) => {
            const opened = real.open(...options);
            return {
              ...opened,
              [name]: async (...input: never[]) => {
                await (opened[name] as (...all: never[]) => Promise<unknown>)(...input);
                throw new Error('killed');
              },
            } as never;
          },
        },
      };
      const where = { repositoryId, number: pullRequest.number };
      await db
        .updateTable('pull_request_syncs')
        .set({ due_at: new Date(0), full_due_at: null })
        .where('repository_id', '=', repositoryId)
        .where('number', '=', pullRequest.number)
        .execute();
      await expect(syncPullRequest(crashing, where, signal)).rejects.toThrow('killed');
      await db
        .updateTable('pull_request_syncs')
        .set({ busy_until: null })
        .where('code_host_id', '=', host.id)
        .execute();
      await catchUp();
      const texts = [
        ...pullRequest.threads.flatMap(({ comments }) => comments.map(({ body }) => body)),
        ...pullRequest.reviews.map(({ body }) => body),
        ...pullRequest.comments.filter((one) => !summaries().includes(one)).map(({ body }) => body),
      ].join('\n');
      for (const { title } of [ON_LINE, ...NOWHERE]) expect(texts.split(`**${title}**`)).toHaveLength(2);
      expect(summaries()).toHaveLength(1);
      expect(status()).toMatchObject({ title: '3 open findings' });
      expect((await rowOf(pullRequest)).comment_count).toBe(3);
    },
  );
});
