/** The door of code search. */
export { type CodeSearch, createCodeSearch, MAX_FILE_BYTES } from './create-code-search.ts';
export { type RepositoryFolders, SearchFailure } from './messages.ts';
