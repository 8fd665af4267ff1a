/** The public interface of code hosts that organizations are connected to. */
export { createCodeHosts, systemEnvironment } from '../../engines/code-hosts/index.ts';
export { checkHost } from './check-host.ts';
export {
  connectRepository,
  disconnectRepository,
  insertCodeHost,
  type NewCodeHost,
  type RepositoryToConnect,
} from './code-host-store.ts';
export { selectShownHosts } from './connection-store.ts';
export { HostKind } from './contract.ts';
export { createCodeHost } from './create-code-host.ts';
export { hostAddressOf } from './host-address.ts';
export { lockIdleCodeHosts } from './host-health-store.ts';
export { createHostLookup } from './host-lookup.ts';
export {
  type HostCredential,
  openHostCredential,
  sealHostCredential,
  sealHostWebhookSecret,
} from './host-secrets.ts';
export { type HostServices, openCodeHost } from './open-code-host.ts';
export { deleteOldRedirects } from './pending-redirect-store.ts';
export { presentCodeHosts } from './present-code-host.ts';
export { CHECK_HOST, queueHostChecks } from './queue-host-checks.ts';
export { queueSyncs, SYNC_PULL_REQUEST, SYNC_REPOSITORY } from './queue-syncs.ts';
export { removeCodeHost } from './remove-code-host.ts';
export { type SyncServices, syncPullRequest } from './sync-pull-request.ts';
export { syncRepository } from './sync-repository.ts';
