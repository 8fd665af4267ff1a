/** Puts the adapters together, and keeps what hosts said to each credential for the life of the process. */
import { createHash } from 'node:crypto';
import type { HostEnvironment } from './environment.ts';
import { createGiteaHost } from './gitea/gitea-host.ts';
import type { FactsState } from './gitea/server-facts.ts';
import { appAccess, tokenAccess } from './github/access.ts';
import { githubAddresses } from './github/addresses.ts';
import { buildAppManifest, exchangeManifestCode } from './github/app-manifest.ts';
import { type AppState, newAppState } from './github/app-token.ts';
import { createGitHubHost } from './github/github-host.ts';
import { createGitLabHost } from './gitlab/gitlab-host.ts';
import { createConnections, createHostClient, type Pause } from './host-client.ts';
import type { CodeHost, CodeHosts, Connection } from './port.ts';
import { createHostSignIn } from './sign-in.ts';
import { webAddress } from './web-address.ts';

/** Credentials of one process; more are forgotten, which costs a few requests. */
const MAX_REMEMBERED = 1_000;

interface Remembered {
  pause: Pause;
  app: AppState;
  facts: FactsState;
}

export function createCodeHosts(environment: HostEnvironment): CodeHosts {
  const connections = createConnections();
  const remembered = new Map<string, Remembered>();

  function remember(connection: Connection): Remembered {
    const key = createHash('sha256').update(JSON.stringify(connection)).digest('base64');
    const known = remembered.get(key) ?? {
      pause: { until: null },
      app: newAppState(),
      facts: { facts: null, readAt: 0 },
    };
    remembered.delete(key);
    remembered.set(key, known);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return known;
  }

  function open(connection: Connection, signal = new AbortController().signal): CodeHost {
    const parts = { connections, environment, signal };
    const { app, facts, pause } = remember(connection);
    const now = () => environment.clock.now();
    switch (connection.kind) {
      case 'github': {
        const { credential } = connection;
        const addresses = githubAddresses(connection.url);
        const access =
          credential.kind === 'app'
            ? appAccess(credential, addresses, parts, { state: app, pause })
            : tokenAccess(credential.token, addresses, parts, pause);
        const appId = credential.kind === 'app' ? credential.appId : null;
        return createGitHubHost({ access, addresses, appId, now });
      }
      case 'gitea': {
        const { token } = connection.credential;
        const web = webAddress(connection.url);
        const headers = { accept: 'application/json', authorization: `token ${token}` };
        const client = createHostClient({ ...parts, baseUrl: web, headers, secrets: [token], pause });
        return createGiteaHost({ client, web, token, facts, now });
      }
      case 'gitlab': {
        const { token } = connection.credential;
        const web = webAddress(connection.url);
        const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
        const client = createHostClient({ ...parts, baseUrl: web, headers, secrets: [token], pause });
        return createGitLabHost({ client, web, token });
      }
    }
  }

  return {
    open,
    signIn: (application) => createHostSignIn(application, { connections, environment }),
    githubAppManifest: (request) => buildAppManifest(request, githubAddresses(request.url)),
    async createdGitHubApp(url, code) {
      const { base, restPrefix } = githubAddresses(url);
      const client = createHostClient({
        connections,
        environment,
        baseUrl: base,
        headers: { accept: 'application/vnd.github+json' },
        secrets: [code],
        pause: { until: null },
        signal: AbortSignal.timeout(60_000),
      });
      return await exchangeManifestCode(client, restPrefix, code);
    },
  };
}
