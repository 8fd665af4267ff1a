/** The public interface of reading and searching code. */
export { grepCode } from './grep-code.ts';
export { listTree } from './list-tree.ts';
export { readFile } from './read-file.ts';
export { searchCode } from './search-code.ts';
export { searchFiles } from './search-files.ts';
