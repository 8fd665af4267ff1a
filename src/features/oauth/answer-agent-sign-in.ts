/** POST /api/v2/agent-sign-ins/:signInId/answer: a user allows or denies the request of an agent; only this browser can continue. */

import { type Context, defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { AGENT_SCOPE } from '../../platform/core/ports/agent-sign-in.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { holdMembership } from '../memberships/index.ts';
import { insertGrant, markAnswered, type SignInPayload, selectSignIn } from './agent-store.ts';
import { alreadyAnswered } from './already-answered.ts';
import { AgentSignInAnswer, AnswerAgentSignInInput } from './contract.ts';
import { LIFETIMES_MS } from './lifetimes.ts';
import { PATHS } from './metadata.ts';
import { extendRecord } from './record-store.ts';

export const answerAgentSignIn = defineOperation({
  name: 'answer-agent-sign-in',
  group: 'Agents',
  summary: 'Allow or deny the sign-in of an agent',
  description:
    'Only the first answer counts. The browser then goes to `continueAt`, which works only with the session that answered, in the browser that the agent opened.',
  http: { method: 'POST', path: '/api/v2/agent-sign-ins/:signInId/answer', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: AnswerAgentSignInInput,
  output: AgentSignInAnswer,
  problems: ['not_found', 'conflict'],
  async run(context, { allow, shown, signInId }) {
    const { actor, baseUrl, clock, db } = context;
    if (shown && (shown.userId !== actor.userId || shown.organizationId !== actor.organizationId)) {
      throw new Problem(
        'conflict',
        'The signed-in user or organization was changed in another tab. Review the request again before you answer.',
      );
    }
    await inTransaction(db, async (transaction) => {
      const signIn = await selectSignIn(transaction, hashOf(signInId), clock.now(), { hold: true });
      if (!signIn) throw notFound('The request');
      if (signIn.session_id !== null) {
        const allowed = signIn.payload.result?.error === undefined;
        if (signIn.session_id === actor.credentialId && allowed === allow) return;
        throw alreadyAnswered();
      }
      const grantId = allow ? await grant(context, transaction, signIn.payload) : null;
      await markAnswered(transaction, signIn.id, {
        organizationId: actor.organizationId,
        userId: actor.userId,
        sessionId: actor.credentialId,
        grantId,
        result: grantId === null ? REFUSED : { login: { accountId: grantId }, consent: { grantId } },
      });
    });
    return { continueAt: `${baseUrl}${PATHS.authorization}/${encodeURIComponent(signInId)}` };
  },
});

const REFUSED = { error: 'access_denied', error_description: 'the user denied the request' };

/** Short-lived until the agent fetches its tokens. */
async function grant(context: Context, db: Db, { params, prompt }: SignInPayload): Promise<string> {
  const { actor } = context;
  const at = context.clock.now();
  if (!(await holdMembership(db, actor))) {
    throw new Problem('unauthenticated', 'This request has no valid credential.');
  }
  const id = uuidv7();
  const { agent } = prompt.details;
  await insertGrant(db, {
    id,
    organizationId: actor.organizationId,
    userId: actor.userId,
    payload: {
      accountId: id,
      clientId: params.client_id,
      resources: Object.fromEntries([params.resource].flat().map((resource) => [resource, AGENT_SCOPE])),
      agent,
    },
    at,
    expiresAt: new Date(at.getTime() + LIFETIMES_MS.signIn),
  });
  const clientUntil = new Date(at.getTime() + LIFETIMES_MS.usedClient);
  await extendRecord(db, 'Client', hashOf(params.client_id), clientUntil);
  await recordAudit(db, callerOf(context), {
    action: 'agent.signed_in',
    subjectId: id,
    subjectName: agent.name,
    detail: { returnsTo: agent.returnsTo },
  });
  return id;
}
