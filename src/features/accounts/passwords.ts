/** Passwords are kept as argon2id; checking takes the same time whether or not the address is known. */
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id (its number is 2 in this library); written out so that an upgrade cannot change them. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a password that nobody has, made with our parameters. */
let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), PARAMETERS);
}

/** Without a hash (no such user) it does the same work and says no. */
export async function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFKC'));
  return passwordHash !== undefined && matches;
}
