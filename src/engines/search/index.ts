/** The public interface of code search, and of what other engines need to read code the same way. */
export { textOfBlob } from './blob-text.ts';
export { bytesIn } from './build-index.ts';
export { type CommitFiles, findRange, idOf, MissingObject, pathOf } from './commit-files.ts';
export {
  type CodeSearch,
  createCodeSearch,
  type SearchSettings,
} from './create-code-search.ts';
export { findLines, type TextLine } from './find-lines.ts';
export { compileGlob, type Glob, joinGlobs } from './glob/index.ts';
export { makeRoom } from './index-room.ts';
export {
  type FailureReason,
  MAX_ATTEMPTS,
  type RepositoryFolders,
  SearchFailure,
  type SearchTime,
} from './messages.ts';
export { type OpenReaders, openReaders } from './open-readers.ts';
export { rankPath } from './path-rank.ts';
export { createReaderCaches, openRepository, type RepositoryReader } from './repository-reader.ts';
export { createRequestProcess, type RequestProcess, SOURCE_EXTENSION } from './request-process.ts';
export { RIPGREP } from './ripgrep.ts';
export { serveRequests } from './serve-requests.ts';
