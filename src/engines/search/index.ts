/** The public interface of code search, and of what other engines need to read code the same way. */

export { bytesIn } from './build-index.ts';
export { type CommitFiles, findRange, idOf, MissingObject, pathOf } from './commits/commit-files.ts';
export { rankPath } from './commits/path-rank.ts';
export { createReaderCaches, openRepository, type RepositoryReader } from './commits/repository-reader.ts';
export {
  type CodeSearch,
  createCodeSearch,
  type SearchSettings,
} from './create-code-search.ts';
export { compileGlob, type Glob, joinGlobs } from './glob/index.ts';
export { makeRoom } from './index-room.ts';
export type { RepositoryFolders } from './messages.ts';
export { type OpenReaders, openReaders } from './open-readers.ts';
export { reasonOfFailure } from './reason-of-failure.ts';
export { findLines, type TextLine } from './scan/find-lines.ts';
export { RIPGREP } from './scan/ripgrep.ts';
export { rankOfDefinition } from './scan/show-files.ts';
export { textOfBlob } from './shards/blob-text.ts';
