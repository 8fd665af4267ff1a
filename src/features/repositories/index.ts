/** The public interface of repositories. */
export { Visibility } from './contract.ts';
export { createRepository, type RepositoryToAdd } from './create-repository.ts';
export { type Credential, openCredential } from './credential.ts';
export { type FindServices, findCommitOf, findOrAsk, unknownRef } from './find-commit.ts';
export { findRepository } from './find-repository.ts';
export { findNamedRepository, unknownRepository } from './named-repository.ts';
export { presentRepositories, presentRepository } from './present-repository.ts';
export { pushProblem } from './push-problem.ts';
export { acceptName, acceptRemoteUrl } from './remote-url.ts';
export { dropRepository } from './remove-repository.ts';
export { ASK_EVERY_SECONDS, lockAsked, selectAsk, takeAsk } from './store/ask-store.ts';
export {
  claimUndescribed,
  describeAgain,
  finishDescribing,
  lockToDescribe,
  noteDescribeProblem,
  type RepositoryToDescribe,
  releaseDescribing,
  startDescribing,
} from './store/description-store.ts';
export {
  type FoundRepository,
  type KnownRepository,
  matchRepositories,
  type RepositoryResolution,
  resolveRepository,
  type SearchableRepository,
  selectRepositoriesById,
  selectSearchable,
} from './store/find-repository-store.ts';
export {
  applyReaders,
  askForRefreshOf,
  followRename,
  releaseFromCodeHost,
  setCodeHost,
  setVisibility,
} from './store/hosted-repository-store.ts';
export type { RefKind, RefRow } from './store/ref-store.ts';
export {
  type Claim,
  claimRefresh,
  type FoundRefs,
  failRefresh,
  finishRefresh,
  lockClaimedRefresh,
  lockDueRefreshes,
  markRefreshQueued,
  releaseClaim,
  renewClaim,
  selectExistingRepositories,
  selectExpectedMirror,
  selectOrigin,
  writeRefs,
} from './store/refresh-store.ts';
export {
  askForRefresh,
  notePush,
  selectPushFacts,
  selectRepositories,
  selectRepositoriesAt,
  selectRepository,
} from './store/repository-store.ts';
export {
  hiddenRepositories,
  isUnseenBy,
  operatorIn,
  type Reader,
  UNSEEN_REPOSITORY,
  visibleRepositories,
  visibleTo,
  visibleToReadersOfOwn,
} from './store/visible-repositories-store.ts';
