/** The public interface of code hosts that organizations are connected to. */
export { createCodeHosts, systemEnvironment } from '../../engines/code-hosts/index.ts';
export { unlinkPerson } from './accounts/account-link-store.ts';
export {
  connectRepository,
  disconnectRepository,
  insertCodeHost,
  type NewCodeHost,
  type RepositoryToConnect,
} from './connections/code-host-store.ts';
export { selectShownHosts } from './connections/connection-store.ts';
export { createCodeHost } from './connections/create-code-host.ts';
export { lockIdleCodeHosts } from './connections/host-health-store.ts';
export {
  type HostCredential,
  openHostCredential,
  sealHostCredential,
  sealHostWebhookSecret,
} from './connections/host-secrets.ts';
export { type HostServices, openCodeHost } from './connections/open-code-host.ts';
export { presentCodeHosts } from './connections/present-code-host.ts';
export { removeCodeHost } from './connections/remove-code-host.ts';
export { HostKind } from './contract.ts';
export { hostAddressOf } from './repositories/host-address.ts';
export { createHostLookup } from './sync/host-lookup.ts';
export { type SyncServices, syncPullRequest } from './sync/sync-pull-request.ts';
export { syncRepository } from './sync/sync-repository.ts';
