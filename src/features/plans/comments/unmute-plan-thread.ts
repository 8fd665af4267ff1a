/** DELETE /api/v2/plans/:seriesId/threads/:threadId/mute: replies show up in your inbox again. */
import { defineOperation } from '../../../context.ts';
import { MuteThreadInput } from '../contract.ts';
import { deleteMute } from '../store/comment-store.ts';
import { findThread } from './find-thread.ts';

export const unmutePlanThread = defineOperation({
  name: 'unmute-plan-thread',
  group: 'Plans',
  summary: 'Unmute a thread',
  http: { method: 'DELETE', path: '/api/v2/plans/:seriesId/threads/:threadId/mute', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MuteThreadInput,
  output: null,
  problems: ['not_found'],
  async run(context, input) {
    const { threadId } = await findThread(context, input);
    await deleteMute(context.db, context.actor.userId, threadId);
  },
});
