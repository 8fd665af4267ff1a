/** The public interface of repositories. */
export { Visibility } from './contract.ts';
export { createRepository, type RepositoryToAdd } from './create-repository.ts';
export { type Credential, openCredential } from './credential.ts';
export { type FindServices, findCommitOf, findOrAsk, unknownRef } from './find-commit.ts';
export {
  type FoundRepository,
  type KnownRepository,
  matchRepositories,
  type RepositoryResolution,
  resolveRepository,
  type SearchableRepository,
  selectRepositoriesById,
  selectSearchable,
} from './find-repository-store.ts';
export { findNamedRepository, unknownRepository } from './named-repository.ts';
export { presentRepositories, presentRepository } from './present-repository.ts';
export { type RefKind, type RefRow, replaceRefs } from './ref-store.ts';
export { acceptName, acceptRemoteUrl } from './remote-url.ts';
export { dropRepository } from './remove-repository.ts';
export { askForRefresh, selectRepositories, selectRepository } from './repository-store.ts';
export {
  hiddenRepositories,
  isUnseenBy,
  operatorIn,
  type Reader,
  UNSEEN_REPOSITORY,
  visibleRepositories,
  visibleTo,
  visibleToReadersOfOwn,
} from './visible-repositories-store.ts';
