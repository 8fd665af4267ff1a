/** DELETE /api/v2/code-hosts/:codeHostId/accounts/:accountId/link: by an admin, or by the member whose account it is. */

import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { UnlinkHostAccountInput } from '../contract.ts';
import { lockAccount } from './account-link-store.ts';
import { unlinkAccountOf } from './link-account.ts';

export const unlinkHostAccount = defineOperation({
  name: 'unlink-host-account',
  group: 'Code hosts',
  summary: 'Unlink an account',
  description:
    'The member no longer sees private repositories because of this account. Admins can unlink every account, members their own.',
  http: { method: 'DELETE', path: '/api/v2/code-hosts/:codeHostId/accounts/:accountId/link', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: UnlinkHostAccountInput,
  output: null,
  problems: ['not_found'],
  async run(context, { accountId, codeHostId }) {
    const { actor, db, feed } = context;
    const changed = await inTransaction(db, async (transaction) => {
      const account = await lockAccount(transaction, actor.organizationId, codeHostId, accountId);
      if (!account || !(hasRole(actor.role, 'admin') || account.user_id === actor.userId)) {
        throw notFound('The account');
      }
      return unlinkAccountOf(transaction, account, callerOf(context));
    });
    context.afterCommit(() => changed.forEach((id) => void feed.announce(id)));
  },
});
