/** PUT /api/v2/code-hosts/:codeHostId/accounts/:accountId/link: an admin says whose account it is. */

import { defineOperation } from '../../../context.ts';
import { invalidRequest, notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { LinkHostAccountInput } from '../contract.ts';
import { isMember, lockAccount } from './account-link-store.ts';
import { linkAccountTo } from './link-account.ts';

export const linkHostAccount = defineOperation({
  name: 'link-host-account',
  group: 'Code hosts',
  summary: 'Link an account to a member',
  description:
    'The member then sees the private repositories that this account can read on the host, and its comments appear under their name. Make sure that it is theirs: email addresses and names prove nothing.',
  http: { method: 'PUT', path: '/api/v2/code-hosts/:codeHostId/accounts/:accountId/link', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: LinkHostAccountInput,
  output: null,
  problems: ['not_found', 'conflict'],
  async run(context, { accountId, codeHostId, userId }) {
    const { actor, db, feed } = context;
    const { organizationId } = actor;
    const changed = await inTransaction(db, async (transaction) => {
      const account = await lockAccount(transaction, organizationId, codeHostId, accountId);
      if (!account) throw notFound('The account');
      if (!(await isMember(transaction, organizationId, userId))) {
        throw invalidRequest([{ path: 'userId', message: 'is not a member of your organization' }]);
      }
      return linkAccountTo(transaction, account, { userId, by: 'admin' }, callerOf(context));
    });
    context.afterCommit(() => changed.forEach((id) => void feed.announce(id)));
  },
});
