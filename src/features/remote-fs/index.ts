/** The door of reading and searching code. */
export { MAX_GREP_BYTES, MAX_MATCHING_LINES } from './contract.ts';
export { grepCode } from './grep-code.ts';
export { listTree } from './list-tree.ts';
export { readFile } from './read-file.ts';
export { searchCode } from './search-code.ts';
export { searchFiles } from './search-files.ts';
