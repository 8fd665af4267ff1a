/** POST /api/v2/setup: creates the first organization and its owner, with the setup link that the service printed. */

import { definePublicOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { anonymousSource } from '../../audit/index.ts';
import { SessionView, SetUpInput } from '../contract.ts';
import { hashPassword } from '../sessions/passwords.ts';
import { presentSession, startSession } from '../sessions/start-session.ts';
import { setupLinkExists } from '../store/account-store.ts';
import { createFirstOrganization } from './create-organization.ts';

export const setUp = definePublicOperation({
  name: 'set-up',
  group: 'Accounts',
  summary: 'Set up the service',
  description:
    'Creates the organization and its owner, and signs the owner in. Works once, with the setup link printed at startup.',
  http: { method: 'POST', path: '/api/v2/setup', status: 201 },
  input: SetUpInput,
  output: SessionView,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    const { clock, db } = context;
    if (!(await setupLinkExists(db, hashOf(input.token)))) {
      throw new Problem(
        'not_found',
        'This setup link is invalid or no longer works. Until it has been set up, the service prints a new link each time it starts.',
      );
    }
    const passwordHash = await hashPassword(input.password);
    return inTransaction(db, async (transaction) => {
      const who = await createFirstOrganization(
        transaction,
        { organizationName: input.organizationName, name: input.name, email: input.email, passwordHash },
        (organizationId, userId) => anonymousSource(context, organizationId, userId),
        clock.now(),
      );
      await startSession(context, transaction, who);
      return presentSession(transaction, who);
    });
  },
});
