/**
 * Decides which repository addresses may be fetched from, and resolves each to IP addresses that git is then pinned to, so
 * a name can't change its meaning between check and use.
 */
import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { proxyFor } from '../../../platform/core/network/outgoing-network.ts';
import { isPrivateAddress } from '../../../platform/core/network/private-address.ts';
import { type Candidate, parseRemote } from './parse-remote.ts';
import { RemoteRefused } from './remote-refused.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

const DEFAULT_PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;

/** For one use only: later fetches check again, because the name may resolve to a private network by then. */
export type RemoteAddress =
  | {
      kind: 'https' | 'http' | 'ssh' | 'git';
      /** The remote argument for git. It contains no password, so it can be shown. */
      url: string;
      host: string;
      port: number;
      /** The IP addresses of the host, best first. Through a proxy, none if only the proxy can resolve the name. */
      addresses: string[];
      /** Undefined: git connects to one of the addresses. */
      proxy?: URL | undefined;
    }
  | { kind: 'local'; url: string };

export interface RemoteRules {
  allowLocal: boolean;
  allowPrivateAddresses: boolean;
  /** The service's data folder, which holds the code of all organizations: nothing in it can be an origin. */
  ownFolder?: string;
  resolve?: ResolveHost;
}

/** Throws `RemoteRefused` with a message for users. */
export async function checkRemoteAddress(text: string, rules: RemoteRules): Promise<RemoteAddress> {
  const candidate = parseRemote(text);
  if (candidate.kind === 'local') return await checkLocal(candidate.url, rules);
  return await checkNetwork(candidate, rules);
}

async function checkLocal(path: string, { allowLocal, ownFolder }: RemoteRules): Promise<RemoteAddress> {
  if (!allowLocal)
    throw new RemoteRefused(
      'local',
      'Local repositories are not allowed. Ask the operator to add it with `countersign repo add`, or to set `ALLOW_LOCAL_REPOSITORIES`.',
    );
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory())
    throw new RemoteRefused('not_there', `The folder ${path} doesn't exist on the server. Check the path.`);
  if (ownFolder !== undefined && (await isInside(path, ownFolder)))
    throw new RemoteRefused(
      'local',
      'The data folder of the service contains only mirrors. Enter the address of the original repository.',
    );
  return { kind: 'local', url: path };
}

/** Follows symbolic links. */
async function isInside(path: string, folder: string): Promise<boolean> {
  const outer = await realpath(folder).catch(() => null);
  if (outer === null) return false;
  const way = relative(outer, await realpath(path));
  return way !== '..' && !way.startsWith(`..${sep}`);
}

async function checkNetwork(
  candidate: Exclude<Candidate, { kind: 'local' }>,
  { allowPrivateAddresses, resolve = resolveHost }: RemoteRules,
): Promise<RemoteAddress> {
  const { kind, url, host } = candidate;
  // On the public internet, a man in the middle could read the password and change the code; on a private network, the operator decides.
  if (kind === 'http' && !allowPrivateAddresses)
    throw new RemoteRefused(
      'transport',
      '`http://` is not allowed because it is not encrypted. Use `https://`.',
    );
  const addresses = await resolve(host);
  // The proxy resolves the name again, so refuse what is known to be private here.
  const proxy = kind === 'https' || kind === 'http' ? proxyFor(new URL(url)) : undefined;
  if (addresses.length === 0 && !proxy)
    throw new RemoteRefused('unknown_host', `The host ${host} could not be resolved. Check the address.`);
  if (!allowPrivateAddresses && addresses.some(isPrivateAddress))
    throw new RemoteRefused(
      'private_address',
      `The host ${host} resolves to a private address. Use a public address, or ask the operator to set \`ALLOW_PRIVATE_ADDRESSES\`.`,
    );
  return { kind, url, host, port: candidate.port ?? DEFAULT_PORTS[kind], addresses, proxy };
}
