/** Devices that have signed in to an account before. Each keeps a sealed token that grants no access on its own. */
import { randomBytes } from 'node:crypto';
import type { Context, PublicContext } from '../../../context.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { Attempt } from './sign-in-limits.ts';

const PURPOSE = 'known-device';
/** Far longer than our tokens. */
const MAX_TOKEN_LENGTH = 500;

export function newDeviceToken(secrets: SecretBox, userId: string): string {
  const deviceId = randomBytes(9).toString('base64url');
  return secrets.seal(`${userId} ${deviceId}`, PURPOSE).toString('base64url');
}

/** The device's id if it has signed in to this account before, otherwise undefined. */
export function knownDevice(
  secrets: SecretBox,
  token: string | undefined,
  userId: string | undefined,
): string | undefined {
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined;
  let text: string;
  try {
    text = secrets.open(Buffer.from(token, 'base64url'), PURPOSE);
  } catch {
    return undefined; // Not one of our tokens, or sealed with an earlier secret.
  }
  const [owner, deviceId] = text.split(' ');
  return owner === userId ? deviceId : undefined;
}

/** An attempt to sign in to an account that may not exist. */
export function attemptOf(
  { client, secrets, session }: PublicContext,
  email: string,
  user: { id: string } | undefined,
): Attempt {
  return { email, address: client.address, deviceId: knownDevice(secrets, session.deviceToken, user?.id) };
}

/** A password check within a session, which is trusted as much as a known device. */
export function attemptInSession({ actor, client }: Context, user: { email: string }): Attempt {
  return { email: user.email, address: client.address, deviceId: `session ${actor.credentialId}` };
}
