/**
 * Generated lives of pull requests on each fake host, with webhooks that are lost, doubled, reordered and delayed, people who act here
 * and there, and two nodes at work: in the end both sides have the same, and nothing was posted twice.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Shown, shownHere, shownOnHost } from '../../../../test/code-hosts/compare-with-host.ts';
import { type ConnectedHost, connectHost } from '../../../../test/code-hosts/connected.ts';
import type { FakeComment, FakePullRequest } from '../../../../test/code-hosts/fake-model.ts';
import { startGiteaFake } from '../../../../test/code-hosts/gitea-fake.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startGitLabFake } from '../../../../test/code-hosts/gitlab-fake.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { changeDiscussion } from '../../discussions/change-discussion.ts';
import { replyToDiscussion } from '../../discussions/reply-to-discussion.ts';
import { commentOnPullRequest } from '../../pull-requests/changes/comment-on-pull-request.ts';
import { reviewPullRequest } from '../../pull-requests/changes/review-pull-request.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db } = service;
const as = withSession(acme.member);

const ACTIONS = [
  ...['push', 'title', 'draft', 'labels', 'reviewers', 'base', 'close', 'merge', 'reopen'],
  ...['comment', 'thread', 'thread', 'reply', 'edit', 'remove', 'resolve', 'unresolve'],
  ...['reply here', 'comment here', 'resolve here', 'reopen here'],
] as const;
type Action = (typeof ACTIONS)[number];

const stepArbitrary = fc.record({
  action: fc.constantFrom<Action>(...ACTIONS),
  pick: fc.nat(20),
  webhook: fc.constantFrom('arrives', 'lost', 'doubled', 'delayed'),
  works: fc.constantFrom('no', 'one', 'two'),
});

interface Life {
  host: ConnectedHost;
  pullRequest: FakePullRequest;
  repositoryId: string;
  commits: number;
}

const someOf = <T>(all: T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];

async function act(
  { host, pullRequest, repositoryId, ...life }: Life,
  action: Action,
  pick: number,
): Promise<void> {
  const { model } = host;
  const [ada, grace] = [model.account('ada'), model.account('grace')];
  const who = pick % 2 === 0 ? ada : grace;
  const thread = someOf(pullRequest.threads, pick);
  const written: FakeComment[] = [
    ...pullRequest.comments,
    ...pullRequest.threads.flatMap((one) => one.comments),
  ];
  const comment = someOf(written, pick);
  const isOpen = pullRequest.state === 'open';
  switch (action) {
    case 'push':
      return model.push(pullRequest, String(life.commits).padStart(40, 'c'));
    case 'title':
      return model.change(pullRequest, { title: `Title ${pick}`, body: `Text ${pick}` });
    case 'draft':
      return isOpen ? model.change(pullRequest, { draft: !pullRequest.draft }) : undefined;
    case 'base':
      return model.change(pullRequest, { base: { branch: `base-${pick % 2}`, commit: 'd'.repeat(40) } });
    case 'labels':
      return model.change(pullRequest, { labels: pick % 3 === 0 ? [] : [`label-${pick % 3}`] });
    case 'reviewers':
      return model.change(pullRequest, { requestedReviewers: pick % 3 === 0 ? [] : [who] });
    case 'close':
    case 'merge':
      return isOpen ? model.close(pullRequest, action === 'close' ? 'closed' : 'merged') : undefined;
    case 'reopen':
      return pullRequest.state === 'closed' ? model.reopen(pullRequest) : undefined;
    case 'comment':
      return void model.comment(pullRequest, who, `General ${pick}`);
    case 'thread': {
      const line = 10 + (pullRequest.threads.length % 3);
      const place = { file: 'src/a.ts', side: 'new', startLine: line, endLine: line } as const;
      // Gitea has one thread on a line.
      if (pullRequest.threads.some((one) => one.startLine === line)) return;
      return void model.startThread(pullRequest, who, place, `Question ${pick}`);
    }
    case 'reply':
      return thread && void model.reply(pullRequest, thread, who, `Answer ${pick}`);
    case 'edit':
      return comment && model.edit(pullRequest, comment, `Edited ${pick}`);
    case 'remove':
      return comment && model.remove(pullRequest, comment);
    case 'resolve':
    case 'unresolve':
      return thread && model.resolve(pullRequest, thread, action === 'resolve' ? who : null);
    default:
      return actHere({ pullRequest, repositoryId }, action, pick);
  }
}

async function actHere(
  { pullRequest, repositoryId }: Pick<Life, 'pullRequest' | 'repositoryId'>,
  action: Action,
  pick: number,
): Promise<void> {
  const row = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', pullRequest.number)
    .executeTakeFirst();
  if (!row) return;
  const discussions = await db
    .selectFrom('discussions')
    .select('id')
    .where('pull_request_id', '=', row.id)
    .orderBy('id')
    .execute();
  const discussionId = someOf(discussions, pick)?.id;
  if (action === 'comment here') {
    await service.call(commentOnPullRequest, { pullRequestId: row.id, body: `Here ${pick}` }, as);
  } else if (discussionId && action === 'reply here') {
    await service.call(replyToDiscussion, { discussionId, body: `Here ${pick}` }, as);
  } else if (discussionId) {
    await service.call(
      changeDiscussion,
      { discussionId, status: action === 'resolve here' ? 'resolved' : 'open' },
      as,
    );
  }
}

/** Replies to threads that were deleted meanwhile can't be posted; they stay here. */
async function withoutRefused(shown: Shown | null, repositoryId: string): Promise<Shown | null> {
  const rows = await db
    .selectFrom('pull_request_comments as c')
    .innerJoin('pull_requests as p', 'p.id', 'c.pull_request_id')
    .select(['c.body', 'c.sending'])
    .where('p.repository_id', '=', repositoryId)
    .where('c.sending', '=', 'failed')
    .execute();
  const refused = new Set(rows.map(({ body }) => body));
  return (
    shown && {
      ...shown,
      threads: shown.threads.filter(({ comments }) => comments.some((body) => !refused.has(body))),
    }
  );
}

describe.each([
  ['github', 6, startGitHubFake],
  ['gitlab', 6, startGitLabFake],
  ['gitea', 6, startGiteaFake],
] as const)('%s', async (kind, runs, start) => {
  const host = await connectHost(service, acme, kind, (model) => start(model as never));
  afterAll(() => host.fake.close());

  it('shows a review that was given here, once', async () => {
    const { id: repositoryId, there } = await host.repository(`acme/reviewed-${kind}`);
    const pullRequest = host.model.openPullRequest(there, {
      author: host.model.account('ada'),
      commit: 'c'.repeat(40),
    });
    await host.work();
    const { id: pullRequestId } = await db
      .selectFrom('pull_requests')
      .select('id')
      .where('repository_id', '=', repositoryId)
      .executeTakeFirstOrThrow();
    await service.call(
      reviewPullRequest,
      { pullRequestId, verdict: 'approved', note: 'Fine', commit: pullRequest.head.commit },
      as,
    );
    for (let round = 0; round < 2; round += 1) {
      await host.becomeDue();
      await host.work();
    }
    const texts = [...pullRequest.comments, ...pullRequest.reviews].filter(({ body }) => /Fine/.test(body));
    expect(texts).toHaveLength(1);
    expect(pullRequest.reviews.filter(({ state }) => state === 'approved')).toHaveLength(1);
    const verdicts = await db
      .selectFrom('pull_request_verdicts')
      .select(['verdict', 'sending', 'dismissed_at'])
      .where('pull_request_id', '=', pullRequestId)
      .execute();
    expect(verdicts).toEqual([{ verdict: 'approved', sending: 'sent', dismissed_at: null }]);
    expect(host.fake.problems).toEqual([]);
  });

  it('ends with the same on both sides, however webhooks arrive', { timeout: 120_000 }, async () => {
    const { fake, model } = host;
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 14 }), async (steps) => {
        lives += 1;
        const { id: repositoryId, there } = await host.repository(`acme/life-${kind}-${lives}`);
        const diff = { 'src/a.ts': { new: [10, 11, 12], old: [] } };
        const pullRequest = model.openPullRequest(there, {
          author: model.account('ada'),
          commit: 'c'.repeat(40),
          diff,
        });
        const life = { host, pullRequest, repositoryId, commits: 0 };
        const delayed = [];
        for (const { action, pick, webhook, works } of steps) {
          life.commits += 1;
          await act(life, action, pick);
          const sent = fake.deliveries.splice(0).filter(({ url }) => url !== '');
          if (webhook === 'delayed') delayed.push(...sent);
          else if (webhook !== 'lost')
            for (const delivery of [...sent, ...(webhook === 'doubled' ? sent : [])])
              expect(await host.send(delivery)).toBe(204);
          if (works !== 'no') await Promise.all(works === 'two' ? [host.work(), host.work()] : [host.work()]);
        }
        for (const delivery of delayed.reverse()) expect(await host.send(delivery)).toBe(204);
        await host.work();
        await host.becomeDue();
        await Promise.all([host.work(), host.work()]);
        const { verdicts: _ours, ...here } = (await withoutRefused(
          await shownHere(db, repositoryId, pullRequest.number),
          repositoryId,
        ))!;
        const { verdicts: _theirs, ...expected } = shownOnHost(pullRequest);
        expect(here).toEqual(expected);
        const bodies = [
          ...pullRequest.comments,
          ...pullRequest.threads.flatMap((one) => one.comments),
        ].flatMap(({ body }) => /<!-- countersign:(.*?) -->/.exec(body)?.[1] ?? []);
        expect(new Set(bodies).size).toBe(bodies.length);
        expect(fake.problems).toEqual([]);
      }),
      { numRuns: Number(process.env.LIFE_RUNS ?? runs) },
    );
  });
});
