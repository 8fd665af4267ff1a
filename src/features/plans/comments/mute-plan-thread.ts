/** POST /api/v2/plans/:seriesId/threads/:threadId/mute: replies no longer show up in your inbox. */
import { defineOperation } from '../../../context.ts';
import { MuteThreadInput } from '../contract.ts';
import { insertMute } from '../store/comment-store.ts';
import { findThread } from './find-thread.ts';

export const mutePlanThread = defineOperation({
  name: 'mute-plan-thread',
  group: 'Plans',
  summary: 'Mute a thread',
  description: 'You no longer get replies in your inbox. Other people are not affected.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/threads/:threadId/mute', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MuteThreadInput,
  output: null,
  problems: ['not_found'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const { planId, threadId } = await findThread(context, input);
    const { organizationId, userId } = actor;
    await insertMute(db, { userId, threadId, planId, organizationId, at: clock.now() });
  },
});
