/** DELETE /api/v2/agents/:agentId: from the moment its reply is sent, the agent's tokens open nothing on any node. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { deleteGrant } from './agent-store.ts';
import { RevokeAgentInput } from './contract.ts';

export const revokeAgent = defineOperation({
  name: 'revoke-agent',
  group: 'Agents',
  summary: 'Sign an agent out',
  description: 'Every request with its tokens fails from now on. It can ask to be signed in again.',
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
