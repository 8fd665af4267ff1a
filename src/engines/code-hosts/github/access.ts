/** Requests to GitHub with a token, or as an App with the token of the installation that owns the repository. */
import type { HostClient, HostClientOptions, HostReply, HostRequest, Pause } from '../host-client.ts';
import { createHostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { GitHubCredential } from '../port.ts';
import type { GitHubAddresses } from './addresses.ts';
import {
  type AppState,
  appJwt,
  type Installation,
  installationOf,
  installationToken,
  readInstallations,
} from './app-token.ts';

const VERSION_HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export interface GitHubAccess {
  isApp: boolean;
  /** Sends a request for what this account owns. */
  client(owner: string): HostClient;
  /** For what belongs to no account: as the App itself, or with the token. */
  self: HostClient;
  /** The App's installations, read again; empty with a token. */
  installations(): Promise<Installation[]>;
  installationClient(installation: Installation): HostClient;
  token(owner: string): Promise<{ token: string; expiresAt: Date | null }>;
}

export type ClientParts = Pick<HostClientOptions, 'connections' | 'environment' | 'signal'>;

export function tokenAccess(
  token: string,
  { base }: GitHubAddresses,
  parts: ClientParts,
  pause: Pause,
): GitHubAccess {
  const client = clientWith(token, base, parts, pause);
  return {
    isApp: false,
    client: () => client,
    self: client,
    installations: () => Promise.resolve([]),
    installationClient: () => client,
    token: () => Promise.resolve({ token, expiresAt: null }),
  };
}

export function appAccess(
  credential: GitHubCredential & { kind: 'app' },
  { base, restPrefix }: GitHubAddresses,
  parts: ClientParts,
  { state, pause }: { state: AppState; pause: Pause },
): GitHubAccess {
  const now = () => parts.environment.clock.now();
  const self: HostClient = (request) =>
    clientWith(appJwt(credential.appId, credential.privateKey, now()), base, parts, pause)(request);
  const tokenOf = ({ id }: Installation) => installationToken(self, state, restPrefix, id, now());
  const send = async (installation: Installation, request: HostRequest): Promise<HostReply> => {
    const { token } = await tokenOf(installation);
    return clientWith(token, base, parts, pauseOf(state, installation.id))(request);
  };
  /** A token that was revoked is replaced once; an installation that is gone is looked for again. */
  const sendRenewing = async (
    find: () => Promise<Installation>,
    request: HostRequest,
  ): Promise<HostReply> => {
    const installation = await find();
    try {
      return await send(installation, request);
    } catch (error) {
      if (!isHostError(error, 'unauthorized')) throw error;
      state.tokens.delete(installation.id);
      state.installations = null;
      return await send(await find(), request);
    }
  };
  const find = (owner: string) => installationOf(self, state, restPrefix, owner);
  return {
    isApp: true,
    client: (owner) => (request) => sendRenewing(() => find(owner), request),
    self,
    installations: () => readInstallations(self, state, restPrefix),
    installationClient: (installation) => (request) =>
      sendRenewing(() => Promise.resolve(installation), request),
    token: async (owner) => tokenOf(await find(owner)),
  };
}

function pauseOf({ pauses }: AppState, installationId: number): Pause {
  const pause = pauses.get(installationId) ?? { until: null };
  pauses.set(installationId, pause);
  return pause;
}

function clientWith(token: string, baseUrl: string, parts: ClientParts, pause: Pause): HostClient {
  const headers = { ...VERSION_HEADERS, authorization: `Bearer ${token}` };
  return createHostClient({ ...parts, baseUrl, headers, secrets: [token], pause });
}
