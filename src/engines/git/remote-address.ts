/**
 * Decides which addresses of repositories may be fetched from, and to which machine each leads at this moment: the addresses
 * found here are the ones that git is made to use, so that a name cannot change its meaning between check and use.
 */
import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { isPrivateAddress } from '../../platform/core/private-address.ts';
import { type Candidate, parseRemote } from './parse-remote.ts';
import { RemoteRefused } from './remote-refused.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

const DEFAULT_PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;

/** Good for one use: whoever fetches later checks again, as a name may lead to a private network by then. */
export type RemoteAddress =
  | {
      kind: 'https' | 'http' | 'ssh' | 'git';
      /** What git is given. It holds no password, so it can be shown. */
      url: string;
      host: string;
      port: number;
      /** What the host means, best first. */
      addresses: string[];
    }
  | { kind: 'local'; url: string };

export interface RemoteRules {
  allowLocal: boolean;
  allowPrivateAddresses: boolean;
  /** The service's own data folder: nothing in there is anybody's origin, as it holds the code of all organizations. */
  ownFolder?: string;
  resolve?: ResolveHost;
}

/** Throws `RemoteRefused` with a sentence for people. */
export async function checkRemoteAddress(text: string, rules: RemoteRules): Promise<RemoteAddress> {
  const candidate = parseRemote(text);
  if (candidate.kind === 'local') return await checkLocal(candidate.url, rules);
  return await checkNetwork(candidate, rules);
}

async function checkLocal(path: string, { allowLocal, ownFolder }: RemoteRules): Promise<RemoteAddress> {
  if (!allowLocal)
    throw new RemoteRefused(
      'local',
      'Repositories on the machine of the service are not allowed. Ask the operator to add it with `countersign repo add`, or to set `ALLOW_LOCAL_REPOSITORIES`.',
    );
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory())
    throw new RemoteRefused(
      'not_there',
      `There is no folder ${path} on the machine of the service. Check the path.`,
    );
  if (ownFolder !== undefined && (await isInside(path, ownFolder)))
    throw new RemoteRefused(
      'local',
      'The data folder of the service holds copies, not origins. Give the address that the repository comes from.',
    );
  return { kind: 'local', url: path };
}

/** Wherever links lead. */
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
  // Whoever sits in between could read the password and change the code; in a network of one's own that is one's own choice.
  if (kind === 'http' && !allowPrivateAddresses)
    throw new RemoteRefused(
      'transport',
      'Plain `http://` is not accepted, as others could read and change what is sent. Use `https://`.',
    );
  const addresses = await resolve(host);
  if (addresses.length === 0)
    throw new RemoteRefused('unknown_host', `The server ${host} was not found. Check the address.`);
  if (!allowPrivateAddresses && addresses.some(isPrivateAddress))
    throw new RemoteRefused(
      'private_address',
      `The server ${host} is this machine or in a private network. Give an address of the public internet, or ask the operator to set \`ALLOW_PRIVATE_ADDRESSES\`.`,
    );
  return { kind, url, host, port: candidate.port ?? DEFAULT_PORTS[kind], addresses };
}
