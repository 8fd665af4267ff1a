/** Processes that die between posting on a code host and recording it, and two processes at work on one host: nothing is posted twice, nothing is lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { replyToDiscussion } from '../../../src/features/discussions/reply-to-discussion.ts';
import { commentOnPullRequest } from '../../../src/features/pull-requests/changes/comment-on-pull-request.ts';
import { reviewPullRequest } from '../../../src/features/pull-requests/changes/review-pull-request.ts';
import { shownHere, shownOnHost } from '../../code-hosts/compare-with-host.ts';
import { type ConnectedHost, connectHost } from '../../code-hosts/connected.ts';
import type { FakePullRequest } from '../../code-hosts/fake-model.ts';
import { startGitHubFake } from '../../code-hosts/github-fake.ts';
import { startGitLabFake } from '../../code-hosts/gitlab-fake.ts';
import { urlOf } from '../../helpers/database/database.ts';
import { endProcesses, startCountersign } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';

vi.setConfig({ testTimeout: 180_000 });
/** Longer than a claim: PostgreSQL may finish a statement of a process that has died, which then holds a claim for a minute. */
const WAIT = { timeout: 120_000, interval: 200 };
const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db } = service;
const as = withSession(acme.member);
const hosts = {
  github: await connectHost(service, acme, 'github', (model) => startGitHubFake(model)),
  gitlab: await connectHost(service, acme, 'gitlab', (model) => startGitLabFake(model)),
};
afterAll(async () => {
  await endProcesses();
  await cleanUp();
  for (const { fake } of Object.values(hosts)) await fake.close();
});

// The processes have the secret of the test, so that they can open the credentials of the hosts.
const secretFile = join(temporaryFolder(), 'secret.key');
writeFileSync(secretFile, '07'.repeat(32));
async function startWorkerProcess() {
  const worker = startCountersign(['serve'], {
    env: {
      DATABASE_URL: urlOf(service.connection),
      SECRET_FILE: secretFile,
      ROLES: 'worker',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      LOG_LEVEL: 'warn',
    },
  });
  await worker.until(/running background jobs only/);
  return worker;
}

/** Claims of a process that died end after a minute: now. */
const endClaims = () => sql`UPDATE pull_request_syncs SET busy_until = NULL, queued_at = NULL`.execute(db);

async function prepare(host: ConnectedHost, name: string) {
  const { model } = host;
  const { id: repositoryId, there } = await host.repository(name);
  const diff = { 'src/a.ts': { new: [10], old: [] } };
  const pullRequest = model.openPullRequest(there, {
    author: model.account('ada'),
    commit: 'c'.repeat(40),
    diff,
  });
  const place = { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 } as const;
  const thread = model.startThread(pullRequest, model.account('ada'), place, 'Why?');
  await host.work();
  const { id, pullRequestId } = await db
    .selectFrom('discussions as d')
    .innerJoin('pull_requests as p', 'p.id', 'd.pull_request_id')
    .select(['d.id', 'p.id as pullRequestId'])
    .where('p.repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  return { repositoryId, pullRequest, thread, discussionId: id, pullRequestId };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

const write = {
  reply: ({ discussionId }: Prepared) =>
    service.call(replyToDiscussion, { discussionId, body: 'Because' }, as),
  comment: ({ pullRequestId }: Prepared) =>
    service.call(commentOnPullRequest, { pullRequestId, body: 'In general' }, as),
  approved: ({ pullRequest, pullRequestId }: Prepared) =>
    service.call(
      reviewPullRequest,
      { pullRequestId, verdict: 'approved', note: 'Fine', commit: pullRequest.head.commit },
      as,
    ),
};

/** Kills the process instead of responding to the request that posted something. */
function killAfterPosting(host: ConnectedHost, isPosted: () => boolean, kill: () => void): void {
  host.fake.intercept((_, response) => {
    const end = response.end.bind(response);
    response.end = ((text: string) => {
      if (!isPosted()) return end(text);
      host.fake.intercept(null);
      kill();
      return response.destroy();
    }) as typeof response.end;
    return false;
  });
}

async function expectAllSent(): Promise<void> {
  const { rows } = await sql`SELECT sending FROM pull_request_comments WHERE sending NOT IN ('none', 'sent')
    UNION ALL SELECT sending FROM pull_request_verdicts WHERE sending NOT IN ('none', 'sent')`.execute(db);
  expect(rows).toEqual([]);
}
async function expectInStep({ pullRequest, repositoryId }: Prepared): Promise<void> {
  expect(await shownHere(db, repositoryId, pullRequest.number)).toEqual(shownOnHost(pullRequest));
}

/** Texts of ours that people read on the host. */
function postedOn({ comments, reviews, threads }: FakePullRequest) {
  const texts = [
    ...comments.map(({ body }) => body),
    ...threads.flatMap((thread) => thread.comments.map(({ body }) => body)),
    ...reviews.map(({ body }) => body),
  ];
  return {
    texts: texts.flatMap((text) => /Because|In general|Fine/.exec(text) ?? []).map(String),
    verdicts: reviews.map(({ state }) => state).filter((state) => state !== 'commented'),
  };
}

describe('kill -9 after posting', () => {
  const reply = { texts: ['Because'], verdicts: [] as string[] };
  const review = { texts: ['Fine'], verdicts: ['approved'] };
  // A review on GitLab is several requests: first the approval, then its note.
  const cases = [
    { kind: 'github', what: 'reply', after: reply, inTheEnd: reply },
    { kind: 'github', what: 'approved', after: review, inTheEnd: review },
    { kind: 'gitlab', what: 'approved', after: { ...review, texts: [] as string[] }, inTheEnd: review },
    { kind: 'gitlab', what: 'approved', after: review, inTheEnd: review },
  ] as const;

  it.each(cases.map((one, index) => [index, one] as const))(
    'nothing is posted twice or lost (%i: %o)',
    async (index, { after, inTheEnd, kind, what }) => {
      const host = hosts[kind];
      const prepared = await prepare(host, `acme/killed-${index}`);
      const { pullRequest } = prepared;
      const worker = await startWorkerProcess();
      const isPosted = () => isDeepStrictEqual(postedOn(pullRequest), after);
      killAfterPosting(host, isPosted, () => worker.child.kill('SIGKILL'));
      await write[what](prepared);
      expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(postedOn(pullRequest)).toEqual(after);
      await endClaims();
      await host.work();
      expect(postedOn(pullRequest)).toEqual(inTheEnd);
      await expectAllSent();
      if (kind === 'github') await expectInStep(prepared);
      expect(host.fake.problems.splice(0)).toEqual([]);
    },
  );
});

describe('two processes at work on one host', () => {
  it('post everything once, also when one of them dies', async () => {
    const host = hosts.github;
    const all: Prepared[] = [];
    for (let index = 0; index < 8; index += 1) all.push(await prepare(host, `acme/both-${index}`));
    const [first, second] = await Promise.all([startWorkerProcess(), startWorkerProcess()]);
    // In the middle of the work, whichever process is doing it.
    const posted = () => all.flatMap(({ pullRequest }) => postedOn(pullRequest).texts).length;
    killAfterPosting(
      host,
      () => posted() >= 5,
      () => first.child.kill('SIGKILL'),
    );
    await Promise.all(
      all.flatMap((prepared) => [write.reply(prepared), write.comment(prepared), write.approved(prepared)]),
    );
    await first.ended;
    await endClaims();
    await vi.waitFor(async () => {
      // If the second process was doing it, its connection was cut and it waits before it retries: retry now.
      await sql`UPDATE pull_request_syncs SET due_at = clock_timestamp() WHERE failures > 0`.execute(db);
      // Likewise, a job that went to the process that died would only be queued again after ten minutes.
      await sql`UPDATE pull_request_syncs SET queued_at = NULL
        WHERE queued_at < clock_timestamp() - interval '20 seconds'`.execute(db);
      await expectAllSent();
    }, WAIT);
    for (const prepared of all) await expectInStep(prepared);
    for (const { pullRequest } of all)
      expect(postedOn(pullRequest)).toEqual({
        texts: ['In general', 'Because', 'Fine'],
        verdicts: ['approved'],
      });
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(host.fake.problems.splice(0)).toEqual([]);
  });
});
