/** GET /api/v2/agent-sign-ins/:signInId: the sign-in request of an agent, for the page where the user allows or denies it. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import { selectOrganizationName, selectSignIn } from './agent-store.ts';
import { alreadyAnswered } from './already-answered.ts';
import { AgentSignInRequest, GetAgentSignInInput } from './contract.ts';

export const getAgentSignIn = defineOperation({
  name: 'get-agent-sign-in',
  group: 'Agents',
  summary: 'Get the sign-in request of an agent',
  description: 'A request expires after 15 minutes.',
  http: { method: 'GET', path: '/api/v2/agent-sign-ins/:signInId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetAgentSignInInput,
  output: AgentSignInRequest,
  problems: ['not_found', 'conflict'],
  async run({ actor, clock, db }, input) {
    const signIn = await selectSignIn(db, hashOf(input.signInId), clock.now());
    if (!signIn) throw notFound('The request');
    if (signIn.session_id !== null) throw alreadyAnswered();
    return {
      agent: signIn.payload.prompt.details.agent,
      organization: {
        id: actor.organizationId,
        name: await selectOrganizationName(db, actor.organizationId),
      },
      expiresAt: signIn.expires_at.toISOString(),
    };
  },
});
