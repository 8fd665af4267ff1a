/** The public interface of reading code. */
export { chooseRepositories } from './choose-repositories.ts';
export { named } from './describe-repositories.ts';
export { findSymbolIn } from './find-symbol.ts';
