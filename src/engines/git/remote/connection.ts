/**
 * Everything git needs for one connection to a remote: the only allowed protocol, the pinned addresses, and the credential in
 * files that only this user can read, never in arguments or the environment.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { trustedAuthorities } from '../../../platform/core/network/outgoing-network.ts';
import type { RunGitOptions } from '../run/run-git.ts';
import type { RemoteAddress } from './remote-address.ts';
import { RemoteRefused } from './remote-refused.ts';
import { sshConfiguration } from './ssh-configuration.ts';

export type RemoteCredential =
  | { kind: 'password'; username?: string | undefined; password: string }
  | { kind: 'ssh_key'; privateKey: string };

export interface Connection {
  /** The remote argument for git. */
  url: string;
  options: Pick<RunGitOptions, 'configuration' | 'extraEnvironment' | 'secrets' | 'endWithService'>;
}

/** Connection files are in a folder with this name; leftover ones belong to a process that was killed. */
export const CONNECTION_FOLDER_PREFIX = 'connection-';
/** Code hosts accept an access token with any user name, but require one. */
const DEFAULT_USERNAME = 'git';
/** The largest single allocation a server can cause in git; it also stops endless ref advertisements. */
const MAX_ALLOCATED = '1g';
const STALLED_SECONDS = '60';

/** Throws `RemoteRefused` when the credential can't be used with this address. */
export function checkCredential(
  remote: Pick<RemoteAddress, 'kind'>,
  credential: RemoteCredential | null,
): void {
  if (credential === null) return;
  const wanted = { https: 'password', http: 'password', ssh: 'ssh_key', git: null, local: null }[remote.kind];
  if (wanted === null)
    throw new RemoteRefused(
      'credential',
      "This kind of address doesn't support credentials. Remove the credential.",
    );
  if (wanted !== credential.kind)
    throw new RemoteRefused(
      'credential',
      wanted === 'password'
        ? '`https://` addresses need a user name and a password or access token, not an SSH key.'
        : 'SSH addresses need a private key, not a password.',
    );
  if (credential.kind === 'password' && /\p{Cc}/u.test(`${credential.username ?? ''}${credential.password}`))
    throw new RemoteRefused('credential', 'The user name or password contains control characters.');
}

/** Creates a connection, passes it to the callback, and always removes its files. `folder` is private to the repository. */
export async function withConnection<Result>(
  options: {
    remote: RemoteAddress;
    credential: RemoteCredential | null;
    folder: string;
    knownHostsFile: string;
    /** A push runs the hooks of a local repository, so git must refuse one of another user. */
    isPush?: boolean;
  },
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { remote, credential, folder, knownHostsFile, isPush = false } = options;
  checkCredential(remote, credential);
  const files = await mkdtemp(join(folder, CONNECTION_FOLDER_PREFIX));
  const endWithService = true;
  try {
    const environment = {
      GIT_ALLOW_PROTOCOL: remote.kind === 'local' ? 'file' : remote.kind,
      GIT_ALLOC_LIMIT: MAX_ALLOCATED,
    };
    switch (remote.kind) {
      case 'local': {
        const trust = isPush ? {} : await trustingEnvironment(files);
        return await use({
          url: remote.url,
          options: { extraEnvironment: { ...environment, ...trust }, endWithService },
        });
      }
      case 'git': {
        const url = new URL(remote.url);
        const target = `${bracketed(remote.addresses[0]!)}:${remote.port}`;
        // The server still receives the host name.
        const name = { GIT_OVERRIDE_VIRTUAL_HOST: `${remote.host}:${remote.port}` };
        return await use({
          url: `git://${target}${url.pathname}`,
          options: { extraEnvironment: { ...environment, ...name }, endWithService },
        });
      }
      case 'ssh': {
        const file = await writeSshFiles(files, { remote, credential, knownHostsFile });
        const variables = { GIT_SSH_COMMAND: `ssh -F ${shellQuoted(file)}`, GIT_SSH_VARIANT: 'ssh' };
        return await use({
          url: remote.url,
          options: { extraEnvironment: { ...environment, ...variables }, endWithService },
        });
      }
      default: {
        const { configuration, secrets } = await writePassword(files, remote, credential);
        const network = await writeNetwork(files, remote.proxy);
        return await use({
          url: remote.url,
          options: {
            configuration: { ...httpConfiguration(remote), ...configuration },
            extraEnvironment: { ...environment, ...network.environment },
            secrets: [...secrets, ...network.secrets],
            endWithService,
          },
        });
      }
    }
  } finally {
    await rm(files, { recursive: true, force: true });
  }
}

function httpConfiguration({
  host,
  port,
  addresses,
  proxy,
}: Exclude<RemoteAddress, { kind: 'local' }>): Record<string, string> {
  const stalled = { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': STALLED_SECONDS };
  if (proxy || isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return stalled;
  return { ...stalled, 'http.curloptResolve': `${host}:${port}:${addresses.map(bracketed).join(',')}` };
}

/** The operator's proxy, whose address may contain a password, and certificate authorities. Git inherits nothing from our environment. */
async function writeNetwork(
  files: string,
  proxy: URL | undefined,
): Promise<{ environment: Record<string, string>; secrets: string[] }> {
  const authorities = trustedAuthorities();
  if (!proxy && !authorities) return { environment: {}, secrets: [] };
  const lines = ['[http]'];
  if (proxy) lines.push(`\tproxy = "${proxy.href}"`);
  if (authorities) {
    const file = join(files, 'authorities.pem');
    await writePrivateFile(file, authorities);
    for (const name of ['sslCAInfo', 'proxySSLCAInfo']) lines.push(`\t${name} = ${JSON.stringify(file)}`);
  }
  const file = join(files, 'network');
  await writePrivateFile(file, `${lines.join('\n')}\n`);
  const secrets = proxy?.password ? [proxy.password, decodeURIComponent(proxy.password)] : [];
  return { environment: { GIT_CONFIG_GLOBAL: file }, secrets };
}

/** In the format of `git credential-store`, for this server only: git reads it only after the server asks for credentials. */
async function writePassword(
  files: string,
  { kind, host, port }: Exclude<RemoteAddress, { kind: 'local' }>,
  credential: RemoteCredential | null,
): Promise<{ configuration: Record<string, string>; secrets: string[] }> {
  if (credential?.kind !== 'password') return { configuration: {}, secrets: [] };
  const { username = DEFAULT_USERNAME, password } = credential;
  const pair = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
  const file = join(files, 'password');
  // git omits the default port from its lookup.
  const usual = port === (kind === 'https' ? 443 : 80);
  await writePrivateFile(file, `${kind}://${pair}@${host}${usual ? '' : `:${port}`}\n`);
  return {
    configuration: { 'credential.helper': `store --file=${shellQuoted(file)}` },
    secrets: [
      password,
      encodeURIComponent(password),
      Buffer.from(`${username}:${password}`).toString('base64'),
    ],
  };
}

async function writeSshFiles(
  files: string,
  options: {
    remote: Exclude<RemoteAddress, { kind: 'local' }>;
    credential: RemoteCredential | null;
    knownHostsFile: string;
  },
): Promise<string> {
  const { remote, credential, knownHostsFile } = options;
  const keyFile = credential?.kind === 'ssh_key' ? join(files, 'key') : null;
  // ssh requires LF line endings and a final one; pasted keys often lack them.
  if (keyFile !== null && credential?.kind === 'ssh_key')
    await writePrivateFile(keyFile, `${credential.privateKey.replaceAll(/\r\n?/g, '\n').trim()}\n`);
  const file = join(files, 'ssh-configuration');
  await writePrivateFile(file, sshConfiguration({ ...remote, keyFile, knownHostsFile }));
  return file;
}

/**
 * Git refuses to read repositories owned by another user, because their configuration can run programs. The operator allowed
 * local repositories, and listing refs and packing objects runs nothing.
 */
async function trustingEnvironment(files: string): Promise<Record<string, string>> {
  const file = join(files, 'configuration');
  await writePrivateFile(file, '[safe]\n\tdirectory = *\n');
  return { GIT_CONFIG_GLOBAL: file };
}

async function writePrivateFile(file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600, flag: 'wx' });
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

/** Git passes these two settings to a shell; a path is the only variable part. */
function shellQuoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
