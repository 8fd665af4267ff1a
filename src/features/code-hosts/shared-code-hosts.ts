/** The code hosts of this process: what they said about limits and versions is shared by all work with them. */
import { type CodeHosts, createCodeHosts, systemEnvironment } from '../../engines/code-hosts/index.ts';

const shared = new Map<boolean, CodeHosts>();

export function sharedCodeHosts(settings: { allowPrivateAddresses: boolean }): CodeHosts {
  const { allowPrivateAddresses } = settings;
  const known =
    shared.get(allowPrivateAddresses) ?? createCodeHosts(systemEnvironment(allowPrivateAddresses));
  shared.set(allowPrivateAddresses, known);
  return known;
}
