/** Hashes passwords with argon2id. A check takes the same time whether or not the email address is known. */
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id (2 in this library), spelled out so that an upgrade cannot change them. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash with our parameters, to check passwords against when there is no such user. A match is ignored. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Y5cXwCvRLz7pRacDOJ9aTw$/ZhZEg1XjgNNjFQj70xK1Alk8SkJKzvSP+WwEY8LaUQ';

/** In place of a hash: the person signs in through single sign-on and has no password. */
export const NO_PASSWORD = '!';

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), PARAMETERS);
}

/** Without a hash (no such user, or no password), it does the same work and returns false. */
export async function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const known = passwordHash === NO_PASSWORD ? undefined : passwordHash;
  const matches = await verify(known ?? DECOY_HASH, password.normalize('NFKC'));
  return known !== undefined && matches;
}
