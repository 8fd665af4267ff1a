/** After a push: positions, which discussions are addressed, reverts, the setting, and `fixedIn`. Real git. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { makePullRequest } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { NodeState } from '../../platform/core/work/node-state.ts';
import { BY_SERVICE, withPullRequestAs } from '../pull-requests/index.ts';
import { judgeJob } from './jobs.ts';
import { judgePullRequest } from './judge-pull-request.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, mirrors } = service;
const state = new NodeState(undefined);
const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

const FIRST = [
  'export async function send(message: string): Promise<void> {',
  '  const retries = 3;',
  '  for (let attempt = 0; attempt < retries; attempt += 1) {',
  '    await post(message);',
  '  }',
  '}',
  '',
].join('\n');
const RENAMED = FIRST.replaceAll('retries', 'maxAttempts');
const COMMENT = 'Rename `retries` to `maxAttempts`: the first one is not a retry.';

async function start(body = COMMENT, text = FIRST) {
  const repository = await addRepository(service, { 'src/send.ts': text, 'README.md': '# Send\n' });
  const head = await repository.git('rev-parse', 'main');
  const { id } = await makePullRequest(service, repository, { headCommit: head });
  const opened = await service.request('POST', `/api/v2/pull-requests/${id}/discussions`, {
    as: withSession(acme.member),
    body: { file: 'src/send.ts', startLine: 2, body },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const judge = (code: Parameters<typeof judgePullRequest>[0]['code'] = mirrors.code) =>
    judgePullRequest(
      { db, code, log, state, announce: () => undefined, now: () => clock.now() },
      { organizationId: acme.id, pullRequestId: id },
      AbortSignal.timeout(30_000),
    );
  const record = (commit: string) =>
    withPullRequestAs(
      { db, announce: () => undefined },
      { ...BY_SERVICE, organizationId: acme.id },
      id,
      clock.now(),
      (change) => change.recordHead({ commit, baseCommit: null, mergeBase: null, forced: false }),
    );
  return {
    id,
    repository,
    discussionId: opened.body.id as string,
    judge: () => judge(),
    /** Does something else between reading the discussions and writing what was found. */
    judgeWith: (meanwhile: () => Promise<void>) =>
      judge({
        compare: mirrors.code.compare,
        readTexts: async (...request) => {
          await meanwhile();
          return mirrors.code.readTexts(...request);
        },
      }),
    record,
    async push(files: Record<string, string>) {
      const commit = await repository.commit(files);
      await repository.refresh();
      await record(commit);
      await judge();
      return commit;
    },
    async read() {
      const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/discussions`, {
        as: withSession(acme.viewer),
      });
      return body.discussions[0];
    },
    set: (status: string) =>
      service.request('PATCH', `/api/v2/discussions/${opened.body.id}`, {
        as: withSession(acme.admin),
        body: { status },
      }),
  };
}

describe('a push', () => {
  it('addresses what it answers, with the commit, the hunk and the reason', async () => {
    const { push, read } = await start();
    const commit = await push({ 'src/send.ts': `// Sends.\n${RENAMED}` });
    const discussion = await read();
    expect(discussion).toMatchObject({
      status: 'addressed',
      statusCause: 'judge',
      statusBy: null,
      judgement: { verdict: 'addressed', commit, hunks: [expect.objectContaining({ file: 'src/send.ts' })] },
      position: { commit, outcome: 'changed', file: 'src/send.ts', startLine: 3, endLine: 3 },
    });
    expect(discussion.statusReason).toContain('maxAttempts');
  });

  it('is compared with the code of the commit, not with what is stored, in which tokens are masked', async () => {
    // Put together, so that scanners of this repository leave it alone.
    const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
    const filler = Array.from({ length: 40 }, (_, line) => `export const value${line} = ${line};`);
    // Elsewhere, the file has the masked line itself.
    const text = ['// Sends.', `const key = '${token}';`, ...filler, "const key = 'ghp_…';", ''].join('\n');
    const { push, read } = await start('Remove this key and read `process.env.KEY` instead.', text);
    expect((await read()).commentedCode).toBe("const key = 'ghp_…';");
    const commit = await push({ 'src/send.ts': text.replace(`'${token}'`, 'process.env.KEY') });
    expect(await read()).toMatchObject({
      status: 'addressed',
      judgement: { commit, hunks: [{ oldStart: 2, newStart: 2 }] },
    });
  });

  it('moves the place and keeps the status when the code only moved', async () => {
    const { push, read } = await start();
    const commit = await push({ 'src/send.ts': `// One.\n// Two.\n${FIRST}` });
    expect(await read()).toMatchObject({
      status: 'open',
      position: { commit, outcome: 'exact', startLine: 4, endLine: 4 },
    });
  });

  it('that reverts the change reopens it, but not what a person resolved', async () => {
    const { push, read, set } = await start();
    await push({ 'src/send.ts': RENAMED });
    expect((await read()).status).toBe('addressed');
    await push({ 'src/send.ts': FIRST, 'README.md': '# Send it\n' });
    expect(await read()).toMatchObject({ status: 'open', statusCause: 'reverted' });
    await push({ 'src/send.ts': RENAMED, 'README.md': '# Send\n' });
    expect((await read()).status).toBe('addressed');
    await set('resolved');
    await push({ 'src/send.ts': FIRST, 'README.md': '# Send again\n' });
    expect(await read()).toMatchObject({ status: 'resolved', statusCause: 'person' });
  });

  it('is judged from the head on which a person reopened it', async () => {
    const { push, read, set } = await start();
    await push({ 'src/send.ts': RENAMED });
    await set('open');
    await push({ 'README.md': '# Nothing new\n' });
    expect(await read()).toMatchObject({ status: 'open', statusCause: 'person' });
  });

  it('after an objection is judged from the head that the person had seen', async () => {
    const { discussionId, push, read } = await start();
    const reply = (body: string) =>
      service.request('POST', `/api/v2/discussions/${discussionId}/replies`, {
        as: withSession(acme.admin),
        body: { body },
      });
    await push({ 'src/send.ts': FIRST.replace('retries = 3', 'retries = 4') });
    clock.advance(1000);
    await reply('That does not fix it.');
    clock.advance(1000);
    await push({ 'README.md': '# Unrelated\n' });
    expect((await read()).status).toBe('open');
    await push({ 'src/send.ts': RENAMED.replace('maxAttempts = 3', 'maxAttempts = 4') });
    expect((await read()).status).toBe('addressed');
  });

  it('resolves what is addressed if the setting says so', async () => {
    const { push, read } = await start();
    const change = (enabled: boolean) =>
      service.request('PATCH', '/api/v2/organization/switches/auto_resolve_addressed', {
        as: withSession(acme.admin),
        body: { enabled },
      });
    expect((await change(true)).status).toBe(200);
    try {
      await push({ 'src/send.ts': RENAMED });
      expect(await read()).toMatchObject({ status: 'resolved', statusCause: 'switch' });
      await push({ 'src/send.ts': FIRST, 'README.md': '# Back\n' });
      expect(await read()).toMatchObject({ status: 'open', statusCause: 'reverted' });
    } finally {
      await change(false);
    }
  });

  it('judged twice at once, or again, changes nothing twice', async () => {
    const { id, judge, record, repository } = await start();
    const commit = await repository.commit({ 'src/send.ts': RENAMED });
    await repository.refresh();
    await record(commit);
    await Promise.all([judge(), judge(), judge()]);
    await judge();
    const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/activity`, {
      as: withSession(acme.viewer),
    });
    const kinds = body.events.map((event: { kind: string }) => event.kind);
    expect(kinds.filter((kind: string) => kind === 'discussion_status_changed')).toHaveLength(1);
    const { body: pullRequest } = await service.request('GET', `/api/v2/pull-requests/${id}`, {
      as: withSession(acme.viewer),
    });
    expect(pullRequest.openDiscussions).toBe(0);
  });
});

describe('an edited comment', () => {
  const edit = async (discussion: { id: string; comments: { id: string }[] }, body: string) => {
    const { status } = await service.request(
      'PATCH',
      `/api/v2/discussions/${discussion.id}/comments/${discussion.comments[0]!.id}`,
      { as: withSession(acme.member), body: { body } },
    );
    expect(status).toBe(200);
  };

  it('is judged again on the same head, in both directions', async () => {
    const { judge, push, read } = await start('Why three?');
    const commit = await push({ 'src/send.ts': RENAMED });
    expect((await read()).status).toBe('open');
    clock.advance(1000);
    await edit(await read(), COMMENT);
    await judge();
    expect(await read()).toMatchObject({ status: 'addressed', judgement: { commit } });
    await edit(await read(), `${COMMENT} Please.`);
    await judge();
    expect(await read()).toMatchObject({ status: 'addressed', judgement: { commit } });
    await edit(await read(), 'Remove the loop in `post` and use `pRetry` instead.');
    await judge();
    const reopened = await read();
    expect(reopened).toMatchObject({ status: 'open', statusCause: 'reverted' });
    expect(reopened.statusReason).toContain('edited');
  });

  it('while a head is judged wins over that judgement', async () => {
    const { judge, judgeWith, read, record, repository } = await start();
    const commit = await repository.commit({ 'src/send.ts': RENAMED });
    await repository.refresh();
    await record(commit);
    clock.advance(1000);
    const discussion = await read();
    await judgeWith(() => edit(discussion, 'Why three?'));
    expect((await read()).status).toBe('open');
    await judge();
    expect(await read()).toMatchObject({ status: 'open', judgement: { commit } });
  });

  it('of another discussion reopens nothing that a commit not pushed yet answers', async () => {
    const { discussionId, id, judge, push, read, repository } = await start();
    await push({ 'README.md': '# Send it\n' });
    const other = await service.request('POST', `/api/v2/pull-requests/${id}/discussions`, {
      as: withSession(acme.member),
      body: { file: 'src/send.ts', startLine: 4, body: 'Why?' },
    });
    const fix = await repository.commit({ 'src/send.ts': RENAMED });
    await repository.refresh();
    clock.advance(1000);
    await service.request('POST', `/api/v2/discussions/${discussionId}/replies`, {
      as: withSession(acme.member),
      body: { body: 'Done.', fixedIn: fix },
    });
    await edit(other.body, 'What for?');
    await judge();
    expect(await read()).toMatchObject({ status: 'addressed', judgement: { commit: fix } });
  });
});

describe('a discussion on an earlier commit', () => {
  const openOn = (id: string, commit: string) =>
    service.request('POST', `/api/v2/pull-requests/${id}/discussions`, {
      as: withSession(acme.member),
      body: { file: 'src/send.ts', startLine: 3, commit, body: 'Why?' },
    });
  const positionsOf = async (id: string) => {
    const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/discussions`, {
      as: withSession(acme.viewer),
    });
    return body.discussions.map((each: { position: { commit: string } | null }) => each.position?.commit);
  };
  /** Whether a job would be queued for it now. */
  const isDue = async (id: string) => {
    const sent: string[] = [];
    const queue = {
      started: () => true,
      send: async (_db: unknown, _name: string, jobs: { data: { pullRequestId: string } }[]) =>
        void sent.push(...jobs.map(({ data }) => data.pullRequestId)),
      wake: () => undefined,
    };
    await judgeJob.queueDue({ db, queue } as never);
    return sent.includes(id);
  };

  it('is followed to the newest head at once, also if that was judged already', async () => {
    const { id, judge, record, repository } = await start();
    const first = await repository.git('rev-parse', 'main');
    const head = await repository.commit({ 'README.md': '# Send it\n' });
    await repository.refresh();
    await record(head);
    expect(await isDue(id)).toBe(true);
    await judge();
    expect(await isDue(id)).toBe(false);
    expect((await openOn(id, first)).status).toBe(201);
    expect(await isDue(id)).toBe(true);
    await judge();
    expect(await positionsOf(id)).toEqual([head, head]);
  });

  it('is not forgotten if it is opened while the head is judged', async () => {
    const { id, judge, judgeWith, record, repository } = await start();
    const first = await repository.git('rev-parse', 'main');
    const head = await repository.commit({ 'src/send.ts': `// Sends.\n${FIRST}` });
    await repository.refresh();
    await record(head);
    await judgeWith(async () => void (await openOn(id, first)));
    expect(await positionsOf(id)).toEqual([head, undefined]);
    await judge();
    expect(await positionsOf(id)).toEqual([head, head]);
  });
});

describe('a file that is too large to compare', () => {
  it('answers nothing by that', async () => {
    const { push, read } = await start('Remove `retries`.');
    await push({ 'src/send.ts': FIRST + '// More.\n'.repeat(100_000) });
    expect(await read()).toMatchObject({ status: 'open', judgement: null, position: { outcome: 'exact' } });
  });
});

describe('a reason with half of a character', () => {
  it('is stored', async () => {
    const [from, to] = ['x', 'y'].map((letter) => `a${'𝒳'.repeat(30)}${letter}`);
    const { push, read } = await start(`Replace \`retries\` with \`${to}\`, not \`${from}\`.`);
    await push({ 'src/send.ts': FIRST.replaceAll('retries', to!) });
    const { judgement, status } = await read();
    expect(status).toBe('addressed');
    expect(judgement.reason).toContain('𝒳');
  });
});

describe('a reply that says it is fixed', () => {
  const reply = (discussionId: string, body: Record<string, unknown>) =>
    service.request('POST', `/api/v2/discussions/${discussionId}/replies`, {
      as: withSession(acme.member),
      body: { body: 'Done.', ...body },
    });

  it('is judged at once on that commit, and never resolves', async () => {
    const { discussionId, repository } = await start();
    const commit = await repository.commit({ 'src/send.ts': RENAMED });
    await repository.refresh();
    const { body, status } = await reply(discussionId, { fixedIn: commit.slice(0, 10) });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ status: 'addressed', judgement: { commit, verdict: 'addressed' } });
    expect(body.comments[1]).toMatchObject({ body: 'Done.', fixedIn: commit });
  });

  it('keeps it open if the commit does not answer it', async () => {
    const { discussionId, repository } = await start();
    const commit = await repository.commit({ 'README.md': '# Other\n' });
    await repository.refresh();
    const { body } = await reply(discussionId, { fixedIn: commit });
    expect(body).toMatchObject({ status: 'open', judgement: { verdict: 'open' } });
  });

  it('is not judged on a commit of another branch, or on an older one', async () => {
    const { discussionId, push, repository } = await start();
    const root = await repository.git('rev-parse', 'main');
    const elsewhere = await repository.commit({ 'src/send.ts': RENAMED }, { branch: 'other', from: root });
    await push({ 'README.md': '# Send it\n' });
    const { body } = await reply(discussionId, { fixedIn: elsewhere });
    expect(body).toMatchObject({ status: 'open', comments: [{}, { fixedIn: elsewhere }] });
    expect((await reply(discussionId, { body: 'Really.', fixedIn: root })).body.status).toBe('open');
  });

  it('is 400 for a commit that the repository does not have, and posts nothing', async () => {
    const { discussionId, read } = await start();
    const { body, status } = await reply(discussionId, { fixedIn: 'f'.repeat(40) });
    expect([status, body.errors[0].path]).toEqual([400, 'fixedIn']);
    expect((await read()).comments).toHaveLength(1);
  });
});
