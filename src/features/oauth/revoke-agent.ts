/** DELETE /api/v2/agents/:agentId: once the reply is sent, no node accepts the agent's tokens anymore. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { deleteGrant } from './agent-store.ts';
import { RevokeAgentInput } from './contract.ts';

export const revokeAgent = defineOperation({
  name: 'revoke-agent',
  group: 'Agents',
  summary: 'Sign out an agent',
  description: 'Requests with its tokens fail from now on. The agent can request to sign in again.',
  http: { method: 'DELETE', path: '/api/v2/agents/:agentId', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: RevokeAgentInput,
  output: null,
  problems: ['not_found'],
  async run(context, input) {
    await inTransaction(context.db, async (transaction) => {
      const ended = await deleteGrant(transaction, input.agentId, context.actor);
      if (!ended) throw notFound('The agent');
      await recordAudit(transaction, callerOf(context), {
        action: 'agent.revoked',
        subjectId: ended.id,
        subjectName: ended.agent.name,
      });
    });
  },
});
