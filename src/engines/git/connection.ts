/**
 * What git needs to reach one remote once: the only protocol it may use, the addresses it must use, and the credential in files
 * that nobody else can read, never in its arguments or environment.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { RemoteAddress } from './remote-address.ts';
import { RemoteRefused } from './remote-refused.ts';
import type { RunGitOptions } from './run-git.ts';
import { sshConfiguration } from './ssh-configuration.ts';

export type RemoteCredential =
  | { kind: 'password'; username?: string | undefined; password: string }
  | { kind: 'ssh_key'; privateKey: string };

export interface Connection {
  /** What git is given as the remote. */
  url: string;
  options: Pick<RunGitOptions, 'configuration' | 'extraEnvironment' | 'secrets' | 'endWithService'>;
}

/** The files of a connection lie in a folder of this name; one that is found later was left by a process that was killed. */
export const CONNECTION_FOLDER_PREFIX = 'connection-';
/** Code hosts take an access token with any user name, but want one. */
const DEFAULT_USERNAME = 'git';
/** No single piece of memory that a server makes git ask for may be larger; an advertisement of refs without end stops here. */
const MAX_ALLOCATED = '1g';
const STALLED_SECONDS = '60';

/** Throws `RemoteRefused` when a credential cannot be used with an address. */
export function checkCredential(
  remote: Pick<RemoteAddress, 'kind'>,
  credential: RemoteCredential | null,
): void {
  if (credential === null) return;
  const wanted = { https: 'password', http: 'password', ssh: 'ssh_key', git: null, local: null }[remote.kind];
  if (wanted === null)
    throw new RemoteRefused('credential', 'An address of this kind takes no credential. Leave it out.');
  if (wanted !== credential.kind)
    throw new RemoteRefused(
      'credential',
      wanted === 'password'
        ? 'An `https://` address takes a user name and a password or access token, not an SSH key.'
        : 'An address of SSH takes a private key, not a password.',
    );
  if (credential.kind === 'password' && /\p{Cc}/u.test(`${credential.username ?? ''}${credential.password}`))
    throw new RemoteRefused('credential', 'The user name or password has control characters in it.');
}

/** Makes a connection, lets it be used, and removes its files whatever happens. `folder` is private to the repository. */
export async function withConnection<Result>(
  options: {
    remote: RemoteAddress;
    credential: RemoteCredential | null;
    folder: string;
    knownHostsFile: string;
  },
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { remote, credential, folder, knownHostsFile } = options;
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
        const trust = await trustingEnvironment(files);
        return await use({
          url: remote.url,
          options: { extraEnvironment: { ...environment, ...trust }, endWithService },
        });
      }
      case 'git': {
        const url = new URL(remote.url);
        const target = `${bracketed(remote.addresses[0]!)}:${remote.port}`;
        // The server still learns which of its hosts is meant.
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
        return await use({
          url: remote.url,
          options: {
            configuration: { ...httpConfiguration(remote), ...configuration },
            extraEnvironment: environment,
            secrets,
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
}: Exclude<RemoteAddress, { kind: 'local' }>): Record<string, string> {
  const stalled = { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': STALLED_SECONDS };
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return stalled;
  return { ...stalled, 'http.curloptResolve': `${host}:${port}:${addresses.map(bracketed).join(',')}` };
}

/** In the format of `git credential-store`, for this server alone: git asks there only once the server wants a password. */
async function writePassword(
  files: string,
  { kind, host, port }: Exclude<RemoteAddress, { kind: 'local' }>,
  credential: RemoteCredential | null,
): Promise<{ configuration: Record<string, string>; secrets: string[] }> {
  if (credential?.kind !== 'password') return { configuration: {}, secrets: [] };
  const { username = DEFAULT_USERNAME, password } = credential;
  const pair = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
  const file = join(files, 'password');
  // git leaves the usual port out of what it looks for.
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
  // ssh reads a key only with plain line ends, the last one too; keys are pasted without.
  if (keyFile !== null && credential?.kind === 'ssh_key')
    await writePrivateFile(keyFile, `${credential.privateKey.replaceAll(/\r\n?/g, '\n').trim()}\n`);
  const file = join(files, 'ssh-configuration');
  await writePrivateFile(file, sshConfiguration({ ...remote, keyFile, knownHostsFile }));
  return file;
}

/**
 * Git reads no repository that belongs to another user of the machine, for fear of what its configuration may start. The operator
 * allowed repositories of this machine, and what git does there, listing refs and packing objects, starts nothing.
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

/** Git hands these two settings to a shell of its own; the only thing in them that is not fixed is a path. */
function shellQuoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
