/** The repositories' door. */
export { type KnownRepository, matchRepositories, selectRepositoriesById } from './repository-store.ts';
