/** POST /api/v2/session/organization: starts a session in another organization, because a session belongs to exactly one. */

import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { holdMembership } from '../../memberships/index.ts';
import { SessionView, SwitchOrganizationInput } from '../contract.ts';
import { selectMembershipsOf } from '../store/account-store.ts';
import { deleteSession, isSingleSignOnSession } from '../store/session-store.ts';
import { presentSession, sessionGone, startSession } from './start-session.ts';

export const switchOrganization = defineOperation({
  name: 'switch-organization',
  group: 'Accounts',
  summary: 'Switch to another organization',
  description: 'Ends this session and starts one in the other organization.',
  http: { method: 'POST', path: '/api/v2/session/organization', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: SwitchOrganizationInput,
  output: SessionView,
  problems: ['not_found', 'single_sign_on_required'],
  async run(context, input) {
    const { actor, db } = context;
    const memberships = await selectMembershipsOf(db, actor.userId);
    const target = memberships.find(({ id }) => id === input.organizationId);
    if (!target || target.suspended_at !== null) throw notFound('The organization');
    // The provider of one organization says nothing about who may enter another.
    if (target.single_sign_on_only || (await isSingleSignOnSession(db, actor.credentialId))) {
      throw new Problem(
        'single_sign_on_required',
        `Single sign-on opens only the organization it belongs to. Sign out, then sign in to ${target.name}.`,
      );
    }
    const who = { organizationId: input.organizationId, userId: actor.userId };
    return inTransaction(db, async (transaction) => {
      if (!(await holdMembership(transaction, who))) throw notFound('The organization');
      if (!(await deleteSession(transaction, actor.userId, actor.credentialId))) throw sessionGone();
      await startSession(context, transaction, who);
      const here = callerOf(context);
      const there = { ...here, organizationId: who.organizationId };
      const subject = { subjectId: actor.userId, subjectName: actor.userName };
      await recordAudit(transaction, here, { action: 'session.ended', ...subject });
      await recordAudit(transaction, there, { action: 'session.started', ...subject });
      return presentSession(transaction, who);
    });
  },
});
