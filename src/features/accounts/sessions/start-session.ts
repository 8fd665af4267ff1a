/** Starts a session, always with a new token, so that a token known before the sign-in is useless afterwards. */
import type { PublicContext } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectMembershipsOf, selectUser } from '../store/account-store.ts';
import { deleteSessionByToken, insertSession, type SessionIdentity } from '../store/session-store.ts';
import { knownDevice, newDeviceToken } from './known-device.ts';

const MAX_USER_AGENT_LENGTH = 500;

/** Also ends the browser's previous session. Call it inside the transaction that authenticated the user. */
export async function startSession(
  context: PublicContext,
  db: Db,
  who: { organizationId: string; userId: string; identity?: SessionIdentity },
): Promise<void> {
  if (context.session.token !== undefined) await deleteSessionByToken(db, hashOf(context.session.token));
  const token = newToken();
  const at = context.clock.now();
  const { sessionLife } = context.settings;
  const expiresAt = new Date(at.getTime() + sessionLife.idleMs);
  const started = await insertSession(db, {
    id: uuidv7(),
    tokenHash: hashOf(token),
    ...who,
    userAgent: context.client.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
    address: context.client.address,
    at,
    expiresAt,
  });
  if (!started) throw new Problem('sign_in_failed', 'This account is not active in the organization.');
  context.session.start(token, new Date(at.getTime() + sessionLife.maxDurationMs));
  const { secrets, session } = context;
  if (knownDevice(secrets, session.deviceToken, who.userId) === undefined) {
    session.rememberDevice(newDeviceToken(secrets, who.userId));
  }
}

export function singleSignOnRequired(organizationName: string): Problem {
  return new Problem(
    'single_sign_on_required',
    `${organizationName} requires single sign-on. Sign in with the button on the sign-in page.`,
  );
}

/** The session was revoked, or its user deactivated, after the request was authenticated. */
export function sessionGone(): Problem {
  return new Problem('unauthenticated', 'This request has no valid credential.');
}

/** The session as the web app reads it. */
export async function presentSession(db: Db, who: { organizationId: string; userId: string }) {
  const user = await selectUser(db, who.userId);
  const memberships = await selectMembershipsOf(db, who.userId);
  const organizations = memberships.filter(({ suspended_at }) => suspended_at === null);
  const current = organizations.find((organization) => organization.id === who.organizationId);
  if (!current) throw sessionGone();
  return {
    user: { id: user.id, name: user.name, email: user.email },
    organization: { id: current.id, name: current.name },
    role: current.role,
    organizations,
  };
}
