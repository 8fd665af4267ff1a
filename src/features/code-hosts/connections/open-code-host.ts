/** Opens a code host that an organization is connected to, with its credential. */
import {
  type CodeHost,
  type CodeHosts,
  type Connection,
  HostError,
  type HostKind,
} from '../../../engines/code-hosts/index.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import { openHostCredential } from './host-secrets.ts';

export interface HostServices {
  codeHosts: Pick<CodeHosts, 'open'>;
  secrets: SecretBox;
}

export interface HostToOpen {
  id: string;
  kind: HostKind;
  url: string;
  credential: Buffer | null;
}

/** Throws a `HostError` without a credential, as the host would. */
export function openCodeHost(
  { codeHosts, secrets }: HostServices,
  { credential: sealed, id, kind, url }: HostToOpen,
  signal?: AbortSignal,
): CodeHost {
  if (sealed === null) throw new HostError('unauthorized', 'The code host has no credential.');
  const credential = openHostCredential(secrets, id, sealed);
  return codeHosts.open({ kind, url, credential } as Connection, signal);
}
