/** The public interface of code owners: who owns which paths, by each code host's own rules for CODEOWNERS. */

export { type Dialect, type LineProblem, OWNERS_PATHS, type Owner, type OwnersFile } from './owners-file.ts';
export { type OwnedPaths, ownersOf } from './owners-of.ts';
export { dialectOf, readOwners } from './read-owners.ts';
