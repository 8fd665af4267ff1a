/** POST /api/v2/single-sign-on/:organizationId/logout: the provider says that somebody was logged out (back-channel logout). */
import { definePublicOperation } from '../../../context.ts';
import { ProviderError } from '../../../engines/identity-provider/index.ts';
import { invalidRequest, notFound } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { deleteIdentitySessions } from '../../accounts/index.ts';
import { recordAudit, serviceOf } from '../../audit/index.ts';
import { ReceiveLogoutInput } from '../contract.ts';
import { makeDue, selectIdentitiesOfSession } from '../identities/due-check-store.ts';
import { suspendMember } from '../identities/suspend-member.ts';
import { connectionOf } from '../settings/sealed.ts';
import { isOn, selectSettings } from '../settings/settings-store.ts';
import { insertLogout } from './redirect-store.ts';
import { startProblem } from './start-redirect.ts';

const MAX_TOKEN_LENGTH = 20_000;

export const receiveLogout = definePublicOperation({
  name: 'receive-logout',
  group: 'Single sign-on',
  summary: 'Receive a logout of the provider',
  description:
    'OpenID Connect Back-Channel Logout: the provider posts `logout_token` as a form. Ends the sessions of that person, and asks the provider at once whether API keys and agents may go on. Without a refresh token to ask with, they stop too until the next sign-in.',
  http: {
    method: 'POST',
    path: '/api/v2/single-sign-on/:organizationId/logout',
    status: 204,
    signedBody: 'small',
  },
  input: ReceiveLogoutInput,
  output: null,
  problems: ['not_found', 'unavailable'],
  async admit({ db }, { organizationId }) {
    await findProvider(db, organizationId);
  },
  async run(context, { organizationId }) {
    const { clock, db, identityProviders, received } = context;
    const now = clock.now();
    const row = await findProvider(db, organizationId);
    const sent = new URLSearchParams(new TextDecoder().decode(received!.body)).get('logout_token');
    if (!sent || sent.length > MAX_TOKEN_LENGTH) throw refused('is required');
    const token = await identityProviders
      .readLogoutToken(connectionOf(context, row), sent, now)
      .catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        throw error.code === 'invalid' ? refused(`was refused: ${error.message}`) : startProblem(error);
      });
    await inTransaction(db, async (transaction) => {
      const { expiresAt, id, providerSession, subject } = token;
      const isNew = await insertLogout(transaction, { organizationId, tokenHash: hashOf(id), expiresAt });
      if (!isNew) throw refused('was used before');
      const people =
        subject !== null
          ? [{ subject, issuer: row.issuer }]
          : await selectIdentitiesOfSession(transaction, organizationId, providerSession!);
      for (const person of people) {
        const identity = await makeDue(transaction, organizationId, person.issuer, person.subject, now);
        if (!identity) continue;
        const owner = { organizationId, userId: identity.user_id };
        await deleteIdentitySessions(transaction, identity.id, providerSession ?? undefined);
        if (identity.refresh_token === null) {
          await suspendMember(transaction, owner, 'refused_by_provider', now);
        }
        await recordAudit(transaction, serviceOf(organizationId, now), {
          action: 'session.ended',
          subjectId: identity.user_id,
          detail: { by: 'single_sign_on' },
        });
      }
    });
  },
});

async function findProvider(db: Db, organizationId: string) {
  const row = await selectSettings(db, organizationId);
  if (!row || !isOn(row)) throw notFound('The single sign-on provider');
  return row;
}

function refused(message: string) {
  return invalidRequest([{ path: 'logout_token', message }]);
}
