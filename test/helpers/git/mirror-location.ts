/** A location for one mirror in a temporary folder, and the remote rules that let tests reach their own servers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkRemoteAddress,
  type MirrorOptions,
  type RemoteCredential,
} from '../../../src/engines/git/index.ts';

export interface MirrorPlace {
  folder: string;
  gitDir: string;
  /** Options of a clone or fetch; the URL is checked each time, as in the service. */
  options(address: string, credential?: RemoteCredential | null): Promise<MirrorOptions>;
  remove(): Promise<void>;
}

export async function makeMirrorPlace(): Promise<MirrorPlace> {
  const parent = await mkdtemp(join(tmpdir(), 'countersign-mirror-'));
  const folder = join(parent, "a repository's folder");
  const gitDir = join(folder, 'mirror.git');
  return {
    folder,
    gitDir,
    options: async (address, credential = null) => ({
      gitDir,
      remote: await checkRemoteAddress(address, { allowLocal: true, allowPrivateAddresses: true }),
      credential,
      knownHostsFile: join(parent, 'known_hosts'),
    }),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
