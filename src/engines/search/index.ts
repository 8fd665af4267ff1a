/** The public interface of code search. */
export {
  type CodeSearch,
  createCodeSearch,
  type SearchSettings,
} from './create-code-search.ts';
export { compileGlob, type Glob } from './glob/index.ts';
export { type RepositoryFolders, SearchFailure } from './messages.ts';
export { rankPath } from './path-rank.ts';
