/** Comments with the position of their quotes in later versions, and the version that addressed them. */
import { describe, expect, it } from 'vitest';
import {
  activityOf,
  postComment,
  postPlan,
  postVersion,
  read,
  SAMPLE_PLAN,
} from '../../../../test/helpers/rows/plans.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({ worker: true });
const { acme, globex } = service;
const { admin, member, viewer } = acme;

const QUOTE = 'Customers give up before the file is there.';
const anchorOf = (quote: string, content = SAMPLE_PLAN) => {
  const start = content.indexOf(quote);
  const end = start + quote.length;
  return JSON.stringify({
    quote,
    prefix: content.slice(Math.max(0, start - 64), start),
    suffix: content.slice(end, end + 64),
    heading: 'Why',
  });
};

async function threads(plan: { seriesId: string }, query = '') {
  const { body } = await read(service, viewer, plan, `/threads${query}`);
  return body as {
    version: number;
    // biome-ignore lint/suspicious/noExplicitAny: replies are looked at as a client without types does.
    comments: any[];
    mutedThreadIds: string[];
    nextCursor: string | null;
  };
}

/** Resolves once the worker has marked comments as addressed. */
async function addressed(plan: { seriesId: string }): Promise<void> {
  for (let since = 0; ; ) {
    const { body } = await read(service, viewer, plan, `/changes?since=${since}&waitSeconds=20`);
    if (body.events.length === 0) throw new Error('No comment was addressed within 20 seconds.');
    if (body.events.some(({ kind }: { kind: string }) => kind === 'comments_addressed')) return;
    since = body.cursor;
  }
}

describe('the placement of a comment', () => {
  it('is exact in its own version, by JSON and by free text that is found', async () => {
    const { body: made } = await postPlan(service, member);
    await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    await postComment(service, admin, made, { anchor: 'never held in memory' });
    await postComment(service, admin, made, { anchor: 'nowhere to be found' });
    await postComment(service, admin, made);
    const { comments } = await threads(made);
    const start = SAMPLE_PLAN.indexOf(QUOTE);
    expect(comments.map(({ quote, placement }) => [quote, placement])).toEqual([
      [QUOTE, { result: 'exact', start, end: start + QUOTE.length }],
      ['never held in memory', expect.objectContaining({ result: 'exact' })],
      [null, null],
      [null, null],
    ]);
  });

  it('follows the quote through later versions and back to earlier ones', async () => {
    const { body: made } = await postPlan(service, member);
    await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    const shifted = `Intro.\n\n${SAMPLE_PLAN}`;
    await postVersion(service, member, made, shifted);
    const second = (await threads(made)).comments[0].placement;
    expect(second).toEqual({
      result: 'exact',
      start: shifted.indexOf(QUOTE),
      end: shifted.indexOf(QUOTE) + QUOTE.length,
    });
    const third = SAMPLE_PLAN.replace(` ${QUOTE}`, '').replace(
      '## Verification\n',
      `## Verification\n\n${QUOTE}\n`,
    );
    await postVersion(service, member, made, third);
    const placement = (await threads(made)).comments[0].placement;
    expect(placement.result).toBe('moved');
    expect(third.slice(placement.start, placement.end)).toBe(QUOTE);
    expect((await threads(made, '?version=1')).comments[0].placement.result).toBe('exact');
    const onThird = await postVersion(service, member, made, third);
    await postComment(service, admin, onThird, { anchor: 'Write rows as they are read.' });
    expect((await threads(made, '?version=1')).comments[1].placement.result).toBe('exact');
  });

  it('is edited with the old and new text, and the comment is addressed in that version', async () => {
    const { body: made } = await postPlan(service, member);
    const comment = await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    const untouched = await postComment(service, admin, made, { anchor: 'Write rows as they are read.' });
    const edited = SAMPLE_PLAN.replace(QUOTE, 'Many customers give up long before the file is there.');
    await postVersion(service, member, made, edited);
    await addressed(made);
    const [first, second] = (await threads(made)).comments;
    expect(first.placement).toMatchObject({ result: 'edited', oldText: QUOTE });
    expect(edited.slice(first.placement.start, first.placement.end)).toBe(
      'Many customers give up long before the file is there.',
    );
    expect(first.addressed).toMatchObject({ version: 2, oldText: QUOTE, newText: first.placement.newText });
    expect([second.id, second.addressed, second.placement.result]).toEqual([untouched.id, null, 'exact']);
    const event = (await activityOf(service, viewer, made)).find(({ kind }) => kind === 'comments_addressed');
    expect(event).toMatchObject({
      actor: { kind: 'service', id: null },
      data: { version: 2, commentIds: [comment.id] },
    });

    await postVersion(service, member, made, SAMPLE_PLAN);
    expect((await threads(made)).comments[0].addressed.version).toBe(2);
  });

  it('is orphaned with the nearest heading if the quote is gone', async () => {
    const { body: made } = await postPlan(service, member);
    await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    await postVersion(service, member, made, SAMPLE_PLAN.replace(/Exports of large.*there\.\n/, ''));
    await addressed(made);
    const [comment] = (await threads(made)).comments;
    expect(comment.placement).toEqual({ result: 'orphaned', heading: 'Why' });
    expect(comment.addressed).toEqual({ version: 2, oldText: QUOTE, newText: '' });
  });

  it('is not addressed by a version posted after its quote was removed, nor by an earlier one', async () => {
    const { body: made } = await postPlan(service, member);
    const without = SAMPLE_PLAN.replace(` ${QUOTE}`, '');
    await postVersion(service, member, made, without);
    await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    await postComment(service, admin, made, { anchor: 'Write rows as they are read.' });
    await postVersion(service, member, made, without.replace('Write rows as', 'Send rows as'));
    await addressed(made);
    const { comments } = await threads(made);
    expect(comments.map(({ addressed: by }) => by?.version ?? null)).toEqual([null, 3]);
  });

  it('is found for hundreds of comments on the same words without blocking the event loop', async () => {
    const content = 'a '.repeat(12_000);
    const { body: made } = await postPlan(service, member, { content });
    await Promise.all(
      Array.from({ length: 150 }, () => postComment(service, admin, made, { anchor: 'a a' })),
    );
    await postVersion(service, member, made, `b ${content}`);
    let maxDurationMs = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      maxDurationMs = Math.max(maxDurationMs, performance.now() - last);
      last = performance.now();
    }, 5);
    const { comments } = await threads(made, '?limit=200');
    clearInterval(ticking);
    expect(comments).toHaveLength(150);
    // In this thread, the work used to take eight seconds; a busy machine alone doesn't cause that.
    expect(maxDurationMs).toBeLessThan(3_000);
  });

  it('is not addressed by a version that only rewraps lines', async () => {
    const { body: made } = await postPlan(service, member);
    await postComment(service, admin, made, { anchor: anchorOf(QUOTE) });
    await postVersion(service, member, made, SAMPLE_PLAN.replace('give up before', 'give up\nbefore'));
    await postVersion(service, member, made, SAMPLE_PLAN.replace(QUOTE, 'Nobody waits.'));
    await addressed(made);
    expect((await threads(made)).comments[0].addressed.version).toBe(3);
  });
});

describe('the list of threads', () => {
  it('is limited to the thread of one comment on request', async () => {
    const { body: plan } = await postPlan(service, member);
    const first = await postComment(service, admin, plan);
    const other = await postComment(service, admin, plan);
    const reply = await postComment(service, member, plan, { parentId: first.id });
    const nested = await postComment(service, admin, plan, { parentId: reply.id });
    const { body: elsewhere } = await postPlan(service, member);
    const ids = async (commentId: string, of = plan) =>
      (await threads(of, `?commentId=${commentId}`)).comments.map(({ id }) => id);
    expect(await ids(nested.id)).toEqual([first.id, reply.id, nested.id]);
    expect(await ids(other.id)).toEqual([other.id]);
    expect(await ids(first.id, elsewhere)).toEqual([]);
  });

  it('returns each comment with its thread, author and kind of credential, in pages', async () => {
    const { body: made } = await postPlan(service, member);
    const root = await postComment(service, admin, made);
    const reply = await postComment(service, member, made, { parentId: root.id });
    const deep = await postComment(service, admin, made, { parentId: reply.id });
    const first = await threads(made, '?limit=2');
    const rest = await threads(made, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.comments, ...rest.comments].map(({ id, threadId }) => [id, threadId])).toEqual([
      [root.id, root.id],
      [reply.id, root.id],
      [deep.id, root.id],
    ]);
    expect(rest.nextCursor).toBeNull();
    expect(first.comments[0]).toMatchObject({
      author: { name: 'Acme admin' },
      authorKind: 'key',
      version: 1,
      editedAt: null,
    });
  });

  it('is 404 for an unknown version and for another organization', async () => {
    const { body: made } = await postPlan(service, member);
    expect((await read(service, viewer, made, '/threads?version=2')).status).toBe(404);
    expect((await read(service, globex.owner, made, '/threads')).status).toBe(404);
  });
});

it('makes no organization wait for the long plans of another, and limits what one credential has waiting', async () => {
  const content = Array.from({ length: 8_000 }, (_, index) => `- step ${index} of many`).join('\n');
  const longPlan = async (author: typeof member) => {
    const { body: made } = await postPlan(service, author, { content });
    const anchor = anchorOf(content.slice(20_000, 20_200), content);
    await postComment(service, author, made, { anchor });
    await postVersion(service, author, made, content.replaceAll('step 3', 'task 3'));
    return made;
  };
  const [busy, other] = [await longPlan(member), await longPlan(globex.member)];
  const readOther = () => read(service, globex.viewer, other, '/threads');
  // Starts both threads.
  await Promise.all([read(service, viewer, busy, '/threads'), readOther()]);
  const load = Array.from({ length: 30 }, () => read(service, viewer, busy, '/threads'));
  let finished = 0;
  for (const request of load) void request.then(({ status }) => (finished += status === 200 ? 1 : 0));
  const answer = await readOther();
  const finishedBefore = finished;
  const answers = await Promise.all(load);
  expect(answer.status).toBe(200);
  expect(finishedBefore).toBeLessThan(finished / 2);
  const rejected = answers.filter(({ status }) => status !== 200);
  expect(rejected.map(({ status }) => status)).toContain(429);
  expect(rejected[0]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
});
