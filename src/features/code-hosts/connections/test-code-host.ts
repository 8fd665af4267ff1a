/** POST /api/v2/code-hosts/:codeHostId/test: tries the credential now. */

import { defineOperation } from '../../../context.ts';
import { isHostError } from '../../../engines/code-hosts/index.ts';
import { CodeHost, TestCodeHostInput } from '../contract.ts';
import { clearHostProblem } from './code-host-store.ts';
import { writeCredentialCheck } from './connection-store.ts';
import { checkedOf } from './create-code-host.ts';
import { findCodeHost } from './find-code-host.ts';
import { noteHostFailure } from './host-failure.ts';
import { openCodeHost } from './open-code-host.ts';
import { presentCodeHost } from './present-code-host.ts';

export const testCodeHost = defineOperation({
  name: 'test-code-host',
  group: 'Code hosts',
  summary: 'Test a code host',
  description: 'Asks the host who the service is there and what it may do, then returns the checks.',
  http: { method: 'POST', path: '/api/v2/code-hosts/:codeHostId/test', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: TestCodeHostInput,
  output: CodeHost,
  problems: ['not_found'],
  async run(context, { codeHostId }) {
    const { actor, db, feed } = context;
    const row = await findCodeHost(context, codeHostId);
    const host = openCodeHost(context, row, context.disconnected());
    try {
      await writeCredentialCheck(db, codeHostId, checkedOf(await host.describe()));
      await clearHostProblem(db, codeHostId);
      context.afterCommit(() => feed.announce(codeHostId));
    } catch (error) {
      if (!isHostError(error)) throw error;
      await noteHostFailure(db, codeHostId, error, { failures: 0, now: context.clock.now() });
    }
    return presentCodeHost(context, actor.organizationId, codeHostId);
  },
});
