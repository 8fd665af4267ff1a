/** The public interface of repositories. */
export { addRepository } from './add-repository.ts';
export { changeRepository } from './change-repository.ts';
export { Visibility } from './contract.ts';
export { createRepository, type RepositoryToAdd } from './create-repository.ts';
export { type Credential, openCredential } from './credential.ts';
export {
  type FoundRepository,
  type KnownRepository,
  matchRepositories,
  type RepositoryResolution,
  resolveRepository,
  selectRepositoriesById,
  suggestRepositories,
} from './find-repository-store.ts';
export { getPushUrl } from './get-push-url.ts';
export { getRepository } from './get-repository.ts';
export { listRefs } from './list-refs.ts';
export { listRepositories } from './list-repositories.ts';
export { notePush } from './note-push.ts';
export { presentRepositories, presentRepository } from './present-repository.ts';
export { type RefKind, type RefRow, replaceRefs, resolveRef } from './ref-store.ts';
export { refreshRepository } from './refresh-repository.ts';
export { acceptName, acceptRemoteUrl } from './remote-url.ts';
export { dropRepository, removeRepository } from './remove-repository.ts';
export { askForRefresh, selectRepositories, selectRepository } from './repository-store.ts';
export { streamRepositoryChanges } from './stream-repository-changes.ts';
export { operatorIn, type Reader, visibleRepositories, visibleTo } from './visible-repositories-store.ts';
