/** Editing, triaging, muting and listing comments. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { activityOf, postComment, postPlan, read } from '../../../../test/helpers/rows/plans.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, db } = service;
const { admin, member, viewer } = acme;

const comments = async (plan: { seriesId: string }) =>
  (await read(service, viewer, plan, '/threads')).body.comments;

describe('change-plan-comment', () => {
  const patch = (person: typeof admin, plan: { seriesId: string }, id: string, body: unknown) =>
    service.request('PATCH', `/api/v2/plans/${plan.seriesId}/comments/${id}`, { as: withKey(person), body });

  it('lets only the author edit the text (403 for an owner) and any member triage', async () => {
    const { body: made } = await postPlan(service, member);
    const comment = await postComment(service, admin, made);
    const refused = await patch(acme.owner, made, comment.id, { body: 'Mine now.', triageState: 'open' });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await comments(made))[0]).toMatchObject({ body: 'Is that so?', triageState: null });
    expect((await patch(member, made, comment.id, { triageState: 'dismissed' })).body.triageState).toBe(
      'dismissed',
    );
    expect((await patch(admin, made, comment.id, { body: 'Better.' })).body.body).toBe('Better.');
    const [kept] = await comments(made);
    expect(kept).toMatchObject({ body: 'Better.', triageState: 'dismissed', editedAt: expect.any(String) });
  });

  it('records nothing if nothing changes', async () => {
    const { body: made } = await postPlan(service, member);
    const comment = await postComment(service, admin, made);
    await patch(admin, made, comment.id, { body: 'Is that so?', triageState: null });
    await patch(admin, made, comment.id, {});
    expect((await activityOf(service, viewer, made)).map(({ kind }) => kind)).toEqual([
      'plan_created',
      'comment_added',
    ]);
  });
});

describe('mute-plan-thread', () => {
  const mute = (method: string, plan: { seriesId: string }, threadId: string, person = admin) =>
    service.request(method, `/api/v2/plans/${plan.seriesId}/threads/${threadId}/mute`, {
      as: withSession(person),
    });

  it('applies to one person and one thread, and is returned by endpoint 9 too', async () => {
    const { body: made } = await postPlan(service, member);
    const root = await postComment(service, admin, made);
    const reply = await postComment(service, member, made, { parentId: root.id });
    expect((await mute('POST', made, root.id)).status).toBe(204);
    expect((await mute('POST', made, root.id)).status).toBe(204);
    expect((await mute('POST', made, reply.id)).status).toBe(404);
    const mutedBy = async (key: typeof admin) =>
      (await service.request('GET', `/api/v2/plans/${made.seriesId}/comments`, { as: withKey(key) })).body
        .mutedThreadIds;
    expect(await mutedBy(admin)).toEqual([root.id]);
    expect(await mutedBy(member)).toEqual([]);
    expect((await mute('DELETE', made, root.id)).status).toBe(204);
    expect(await mutedBy(admin)).toEqual([]);
  });

  it('is 404 for a thread of another plan', async () => {
    const [made, other] = [(await postPlan(service, member)).body, (await postPlan(service, member)).body];
    const root = await postComment(service, admin, other);
    expect((await mute('POST', made, root.id)).status).toBe(404);
  });
});

describe('list-plan-comments', () => {
  it('lists ten thousand comments, oldest first', async () => {
    const { body: made } = await postPlan(service, member);
    await sql`INSERT INTO plan_comments
        (id, plan_id, organization_id, version_id, thread_id, author_id, author_kind, body, created_at)
      SELECT c.id, p.id, p.organization_id, p.version_id, c.id, p.created_by, 'key', n::text,
        p.created_at + (n / 3) * interval '1 millisecond'
      FROM plans p, (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 10000) n) c
      WHERE p.series_id = ${made.seriesId}`.execute(db);
    const { body } = await service.request('GET', `/api/v2/plans/${made.seriesId}/comments`, {
      as: withKey(viewer),
    });
    const order = body.comments.map(({ createdAt, id }: Record<string, string>) => `${createdAt} ${id}`);
    expect(new Set(order).size).toBe(10_000);
    expect(order).toEqual(order.toSorted());
  });
});
