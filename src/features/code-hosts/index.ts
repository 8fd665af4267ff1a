/** The public interface of code hosts that organizations are connected to. */
export {
  connectRepository,
  disconnectRepository,
  insertCodeHost,
  type NewCodeHost,
  type RepositoryToConnect,
} from './code-host-store.ts';
export {
  type HostCredential,
  openHostCredential,
  sealHostCredential,
  sealHostWebhookSecret,
} from './host-secrets.ts';
export { type HostServices, openCodeHost } from './open-code-host.ts';
export { sharedCodeHosts } from './shared-code-hosts.ts';
