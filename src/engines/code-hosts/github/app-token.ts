/** How a GitHub App proves who it is: a JWT for the App itself, and short-lived tokens for its installations. */
import { createPrivateKey, sign } from 'node:crypto';
import type { z } from 'zod';
import type { HostClient, Pause } from '../host-client.ts';
import { HostError } from '../host-error.ts';
import { listAll } from '../pages.ts';
import { readReply } from '../read-reply.ts';
import { installationShape, installationTokenShape } from './shapes.ts';

/** GitHub allows ten minutes; its clock can differ from ours. */
const LIFETIME_SECONDS = 540;
const SKEW_SECONDS = 60;
/** A token is not handed out when it expires during the work. */
const MIN_REMAINING_MS = 5 * 60_000;

export type Installation = z.output<typeof installationShape>;

/** Shared by all uses of an App's credential. */
export interface AppState {
  /** By the lower-case login of the account that installed it. */
  installations: Map<string, Installation> | null;
  tokens: Map<number, { token: string; expiresAt: Date }>;
  /** Every installation has its own rate limit. */
  pauses: Map<number, Pause>;
}

export function newAppState(): AppState {
  return { installations: null, tokens: new Map(), pauses: new Map() };
}

/** Throws `unauthorized` if the key isn't an RSA private key. */
export function appJwt(appId: string, privateKey: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iat: seconds - SKEW_SECONDS, exp: seconds + LIFETIME_SECONDS, iss: appId };
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  } catch {
    throw new HostError('unauthorized', "The App's private key can't be read. It must be an RSA key in PEM.");
  }
}

/** All installations that are not suspended, oldest first. */
export async function readInstallations(
  asApp: HostClient,
  state: AppState,
  prefix: string,
): Promise<Installation[]> {
  const found: Installation[] = [];
  const request = { path: `${prefix}/app/installations` };
  for await (const installation of listAll({
    client: asApp,
    request,
    shape: installationShape,
    what: 'the installations',
  }))
    if (!installation.suspended_at) found.push(installation);
  found.sort((a, b) => a.id - b.id);
  state.installations = new Map(
    found.flatMap((one) => (one.account?.login ? [[one.account.login.toLowerCase(), one] as const] : [])),
  );
  return found;
}

/** The installation of an account. Asks again for one that is not known, because it may be new. */
export async function installationOf(
  asApp: HostClient,
  state: AppState,
  prefix: string,
  owner: string,
): Promise<Installation> {
  const known = state.installations?.get(owner.toLowerCase());
  if (known) return known;
  await readInstallations(asApp, state, prefix);
  const found = state.installations?.get(owner.toLowerCase());
  if (!found)
    throw new HostError('not_found', `The GitHub App is not installed for ${owner}. Install it there.`);
  return found;
}

export async function installationToken(
  asApp: HostClient,
  state: AppState,
  prefix: string,
  installationId: number,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const kept = state.tokens.get(installationId);
  if (kept && kept.expiresAt.getTime() - now.getTime() > MIN_REMAINING_MS) return kept;
  const { json } = await asApp({
    method: 'POST',
    path: `${prefix}/app/installations/${installationId}/access_tokens`,
    repeatable: true,
  });
  const { expires_at, token } = readReply(installationTokenShape, json, 'an installation token');
  const made = { token, expiresAt: expires_at };
  state.tokens.set(installationId, made);
  return made;
}
