/** The part of the walk about plans: the contract's endpoints with their refusals, then everything people do with a plan. */
import type { Recorder } from './recorder.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

export async function walkPlans({ call, known, service }: Recorder): Promise<void> {
  const { admin, member, viewer } = service.acme;
  const stranger = service.globex.member;
  await call('submit-plan', {}, member);
  await call('submit-plan', { skipIfUnchanged: true }, member);
  const content = `${known.content}\nThen refunds follow.\n`;
  const plan = await call(
    'submit-plan',
    { ...{ content, baseVersion: 1, modelId: 'large', repoNames: [known.repository] } },
    member,
  );
  known.versionId = plan.versionId;
  await call('submit-plan', { seriesKey: 'x', content: '', agentVendor: 7, repoNames: [1] }, member);
  await call('submit-plan', {}, viewer);
  await call('submit-plan', { content: 'Other', baseVersion: 1 }, member);

  const comment = await call('add-plan-comment', { anchor: 'Pay by invoice' });
  known.commentId = comment.commentId ?? comment.id;
  known.threadId = known.commentId;
  await call(
    'add-plan-comment',
    { parentId: known.commentId, body: 'Because customers ask for it.' },
    member,
  );
  await call('add-plan-comment', { body: '', versionId: 'x', parentId: 'y' });
  await call('add-plan-comment', {}, viewer);
  await call('add-plan-comment', { seriesId: NOWHERE }, stranger);
  await call('change-plan-comment', { triageState: 'dismissed' });
  await call('change-plan-comment', { body: 'Why invoices?' });
  await call('change-plan-comment', { body: 'Not mine.' }, member);
  await call('change-plan-comment', { body: 7, triageState: 'gone' });
  await call('change-plan-comment', { commentId: NOWHERE, body: 'Nothing' });
  await call('list-plan-comments');
  await call('list-plan-comments', { seriesId: 'x' });
  await call('list-plan-comments', {}, stranger);

  await call('record-session-event', {}, member);
  await call('record-session-event', { eventType: 'tool_called', payload: { tool: 'get_plan' } }, member);
  await call('record-session-event', { sessionId: 'x', eventType: 7, payload: [] }, member);
  await call('record-session-event', {}, viewer);
  await call('get-planner-session', {}, member);

  await call('request-plan-review', { userIds: [admin.userId] }, member);
  await call('request-plan-changes', { note: 'Say who is billed.' });
  await call('approve-plan');
  await call('withdraw-plan-approval');
  await call('approve-plan', { note: 'Good.' });
  await call('mark-plan-implemented');
  await call('close-plan');
  await call('reopen-plan');
  await call('mute-plan-thread');
  await call('unmute-plan-thread');
  await call('get-plan');
  await call('get-plan', { seriesId: NOWHERE });
  await call('get-plan-version', { version: 1 });
  await call('compare-plan-versions', { from: 1, to: 2 });
  await call('list-plan-threads');
  await call('list-plan-activity', { limit: 3 });
  await call('list-overlapping-plans');
  await call('wait-for-plan-changes', { since: 0, waitSeconds: 0 });
  await call('stream-plan-changes', { since: 0 });
  await call('list-plans');
  await call('get-review-counts');
}

/** After pull requests, which plans are linked to. */
export async function walkLinks({ call, known, service }: Recorder): Promise<void> {
  const { member, viewer } = service.acme;
  await call('link-pull-request', { repoName: known.repository }, member);
  await call('link-pull-request', { prNumber: 0, repoName: 7 }, member);
  await call('link-pull-request', {}, viewer);
  await call('link-pull-request', { seriesId: NOWHERE }, member);
  await call('link-pull-request', { prNumber: 4711, repoName: 'acme/unknown' }, member);
}
