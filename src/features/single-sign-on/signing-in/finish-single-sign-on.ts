/** POST /api/v2/single-sign-on/finish: signs in the person whom the provider sent back, once. */
import { definePublicOperation, type PublicContext } from '../../../context.ts';
import { ProviderError } from '../../../engines/identity-provider/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { findSessionUser, presentSession, startSession } from '../../accounts/index.ts';
import { anonymousSource, recordAudit } from '../../audit/index.ts';
import { FinishedSingleSignOn, FinishSingleSignOnInput } from '../contract.ts';
import { decideAccess } from '../identities/decide-access.ts';
import { redirectUrl } from '../settings/addresses.ts';
import { settingsOf } from '../settings/save-settings.ts';
import { connectionOf, openSignIn } from '../settings/sealed.ts';
import { isOn, selectSettings } from '../settings/settings-store.ts';
import { admitPerson } from './admit-person.ts';
import { linkIdentity } from './link-identity.ts';
import { takeRedirect } from './redirect-store.ts';
import { startProblem } from './start-redirect.ts';

export const finishSingleSignOn = definePublicOperation({
  name: 'finish-single-sign-on',
  group: 'Single sign-on',
  summary: 'Finish signing in with single sign-on',
  description:
    'With the parameters that the provider returned with. Works once, in the browser that started it. Sets the session cookie.',
  http: { method: 'POST', path: '/api/v2/single-sign-on/finish', status: 200 },
  input: FinishSingleSignOnInput,
  output: FinishedSingleSignOn,
  problems: ['single_sign_on_failed', 'unavailable'],
  async run(context, returned) {
    const { clock, db, secrets, session } = context;
    const now = clock.now();
    const redirect =
      session.browserToken === undefined
        ? undefined
        : await takeRedirect(db, hashOf(returned.state), hashOf(session.browserToken), now);
    if (!redirect) throw expired();
    const organizationId = redirect.organization_id;
    const row = await selectSettings(db, organizationId);
    const started = openSignIn(secrets, organizationId, redirect.secrets);
    if (!row || !isOn(row) || row.issuer !== started.issuer) throw expired();
    // The person whose browser this is, if they are signed in.
    const present = session.token === undefined ? undefined : await findSessionUser(db, session.token, now);
    try {
      const person = await context.identityProviders.finishSignIn(
        connectionOf(context, row),
        redirectUrl(context.baseUrl),
        started,
        returned,
      );
      const access = decideAccess(person.claims, settingsOf(row));
      if (!access.allowed) throw new Problem('single_sign_on_failed', access.reason);
      return await inTransaction(db, async (transaction) => {
        const found = { row, person, access };
        const { identityId, userId } = redirect.user_id
          ? await linkIdentity(context, transaction, found, { userId: redirect.user_id, present })
          : await admitPerson(context, transaction, found, present);
        const who = { organizationId, userId };
        const identity = { id: identityId, providerSession: person.providerSession };
        await startSession(context, transaction, { ...who, identity });
        const view = await presentSession(transaction, who);
        await recordAudit(
          transaction,
          { ...anonymousSource(context, organizationId, userId), kind: 'session' },
          {
            action: 'session.started',
            subjectId: userId,
            subjectName: view.user.name,
            detail: { by: 'single_sign_on' },
          },
        );
        return { session: view, returnTo: redirect.return_to };
      });
    } catch (error) {
      const problem = error instanceof ProviderError ? startProblem(error) : error;
      if (problem instanceof Problem) await recordFailure(context, organizationId, problem);
      throw problem;
    }
  },
});

/** The state is unknown, used, expired, or was given to another browser. */
function expired(): Problem {
  return new Problem(
    'single_sign_on_failed',
    'This sign-in has expired, was already used, or was started in another browser. Sign in again.',
  );
}

async function recordFailure(
  context: PublicContext,
  organizationId: string,
  problem: Problem,
): Promise<void> {
  await recordAudit(context.db, anonymousSource(context, organizationId, null), {
    action: 'session.refused',
    detail: { by: 'single_sign_on', reason: problem.message },
  });
}
